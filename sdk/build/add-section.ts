/** Appends a custom section to a WebAssembly binary, module or component alike. */
export function addSection(binary: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  const nameBytes = new TextEncoder().encode(name);
  const nameLength = leb128(nameBytes.byteLength);
  const size = leb128(nameLength.length + nameBytes.byteLength + content.byteLength);
  return Buffer.concat([binary, Uint8Array.from([0, ...size, ...nameLength]), nameBytes, content]);
}

/** Unsigned LEB128. */
function leb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}
