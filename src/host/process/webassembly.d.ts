// The part of the JavaScript API of WebAssembly that is used here; the types of
// Node do not bring it and those of browsers bring a whole page with it.
declare namespace WebAssembly {
  /** Whether all of a module is valid, its functions included. */
  function validate(bytes: Uint8Array): boolean;
  type Imports = Record<string, Record<string, unknown>>;
  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): { module: string; name: string }[];
  }
  /** An import that may wait: the guest is suspended until its promise settles. */
  let Suspending: new (value: (...args: unknown[]) => unknown) => object;
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports?: Imports);
  }
}
