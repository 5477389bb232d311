// The part of the JavaScript API of WebAssembly that plugin processes use; the types of
// Node do not bring it and those of browsers bring a whole page with it.
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports?: Imports);
  }
}
