/**
 * Bytes that were computed from texts, by a hash of the text. They are worth only the time to make
 * them again: a cache that cannot be read or written is an empty one.
 */
export type VectorCache = {
  /**
   * @param space what else the bytes depend on: model, length
   * @returns one entry a key, in their order
   */
  get(space: string, keys: readonly string[]): (Uint8Array | undefined)[];
  put(space: string, entries: readonly { key: string; value: Uint8Array }[]): void;
};
