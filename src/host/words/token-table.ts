import { doubled } from '../../lib/number-array.ts';
import { lowerByte } from '../../lib/word-parts.ts';

/** Different words by their bytes, numbered from 0 as they are first seen. */
export type TokenTable = {
  size: number;
  /** The number of the word at these bytes, in small letters; a new one when it is not known. */
  number(bytes: Uint8Array, start: number, end: number): number;
  /** the bytes of all words, one behind the other */
  bytes: Buffer;
  /** word `n` is `bytes` from `starts[n]` to `starts[n + 1]` */
  starts: Uint32Array;
};

export function createTokenTable(): TokenTable {
  let hashes = new Uint32Array(8192);
  /** a word's number and 1, 0 where there is none */
  let slots = new Uint32Array(16_384);

  const table: TokenTable = {
    size: 0,
    bytes: Buffer.allocUnsafeSlow(64 * 1024),
    starts: new Uint32Array(8193),
    number: (bytes, start, end) => {
      // FNV-1a
      let hash = 0x811c9dc5;
      for (let at = start; at < end; at += 1) {
        hash = Math.imul(hash ^ lowerByte[bytes[at]!]!, 0x01000193);
      }
      hash >>>= 0;
      const mask = slots.length - 1;
      let slot = (hash ^ (hash >>> 15)) & mask;
      for (let known = slots[slot]!; known !== 0; known = slots[slot]!) {
        if (hashes[known - 1] === hash && isSame(known - 1, bytes, start, end)) return known - 1;
        slot = (slot + 1) & mask;
      }
      slots[slot] = table.size + 1;
      return add(hash, bytes, start, end);
    },
  };

  function isSame(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = table.starts[number]!;
    if (table.starts[number + 1]! - from !== end - start) return false;
    const kept = table.bytes;
    for (let at = start; at < end; at += 1) {
      if (kept[from + at - start] !== lowerByte[bytes[at]!]) return false;
    }
    return true;
  }

  function add(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const number = table.size;
    const from = table.starts[number]!;
    const to = from + end - start;
    if (to > table.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(to, table.bytes.length * 2));
      table.bytes.copy(larger, 0, 0, from);
      table.bytes = larger;
    }
    for (let at = start; at < end; at += 1) {
      table.bytes[from + at - start] = lowerByte[bytes[at]!]!;
    }
    hashes[number] = hash;
    table.starts[number + 1] = to;
    table.size += 1;
    if (table.size === hashes.length) grow();
    return number;
  }

  function grow(): void {
    hashes = doubled(hashes);
    const starts = new Uint32Array(hashes.length + 1);
    starts.set(table.starts);
    table.starts = starts;
    slots = new Uint32Array(hashes.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < table.size; number += 1) {
      const hash = hashes[number]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  }

  return table;
}
