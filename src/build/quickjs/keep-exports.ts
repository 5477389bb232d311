import {
  listBytes,
  readSections,
  sectionBytes,
  WasmReader,
} from '../../../sdk/build/wasm-bytes.ts';

const exportSection = 7;

/** Exports that the linker of components looks for. */
const wanted = /^(?:wit_dylib_|cabi_|__wasm_|init$)/;

/** A shared module without unused exports, so that an optimizer removes the code behind them. */
export function keepExports(module: Uint8Array<ArrayBuffer>): Uint8Array {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module));
  // Another module may replace something that a shared module both exports and imports.
  const again = new Set(
    imports
      .filter(({ module: from }) => from === 'env' || from.startsWith('GOT.'))
      .map(({ name }) => name),
  );
  const sections = readSections(module).map(({ id, content }) => {
    if (id !== exportSection) return sectionBytes(id, content);
    const reader = new WasmReader(content);
    const kept = reader.list(() => {
      const start = reader.at;
      const name = reader.name();
      reader.u8();
      reader.u32();
      return wanted.test(name) || again.has(name) ? [content.subarray(start, reader.at)] : [];
    });
    return sectionBytes(id, listBytes(kept.flat()));
  });
  return Buffer.concat([module.subarray(0, 8), ...sections]);
}
