/** Twice as long, with the same numbers first. */
export function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** The bytes of numbers as they lie in memory, not copied. */
export function bytesOf(numbers: Float64Array | Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
