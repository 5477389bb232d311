import type { TokenStates } from '../../contracts/sentence-model.ts';

/** `u32 dimensions, f32 scale of each token, i8 rows`, in the byte order of the machine. */
export function encodeTokenStates({ dimensions, scales, values }: TokenStates): Uint8Array {
  const bytes = new Uint8Array(4 + scales.byteLength + values.byteLength);
  new Uint32Array(bytes.buffer, 0, 1)[0] = dimensions;
  bytes.set(new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength), 4);
  bytes.set(
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
    4 + scales.byteLength,
  );
  return bytes;
}

/** @returns undefined for bytes of another form */
export function decodeTokenStates(bytes: Uint8Array): TokenStates | undefined {
  if (bytes.length < 4) return undefined;
  const { buffer } = bytes.slice();
  const dimensions = new Uint32Array(buffer, 0, 1)[0] ?? 0;
  const tokens = (bytes.length - 4) / (4 + dimensions);
  if (dimensions === 0 || !Number.isInteger(tokens)) return undefined;
  return {
    dimensions,
    scales: new Float32Array(buffer, 4, tokens),
    values: new Int8Array(buffer, 4 + 4 * tokens, tokens * dimensions),
  };
}
