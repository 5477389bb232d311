import { nameBytes, sectionBytes } from './wasm-bytes.ts';

/** Appends a custom section to a WebAssembly binary, module or component alike. */
export function addSection(binary: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  return Buffer.concat([binary, sectionBytes(0, nameBytes(name), content)]);
}
