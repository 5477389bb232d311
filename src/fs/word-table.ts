import { isWordByte } from '../lib/text/word-parts.ts';

/** The words that are looked for, reachable by their first two bytes. */
export type WordTable = {
  /** bucket for `first << 8 | second`, in any case; 0 when no word begins so */
  buckets: Uint8Array;
  /** indexes of words, for each bucket; the one at 0 is empty */
  indexes: readonly (readonly number[])[];
  words: readonly Uint8Array[];
};

/**
 * @param words lower case, at most 64; a word with a character that is not a letter, digit or
 *   `_` is in no bucket, because no identifier holds it
 */
export function createWordTable(words: readonly string[]): WordTable {
  const encoded = words.map((word) => Buffer.from(word));
  const keys = new Map<number, number[]>();
  for (const [index, word] of encoded.entries()) {
    if (!word.every((byte) => isWordByte(byte))) continue;
    for (const key of keysOf(word)) keys.set(key, [...(keys.get(key) ?? []), index]);
  }
  const buckets = new Uint8Array(65_536);
  const indexes: (readonly number[])[] = [[]];
  const known = new Map<string, number>();
  for (const [key, list] of keys) {
    const name = list.join();
    let bucket = known.get(name);
    if (bucket === undefined) {
      bucket = indexes.push(list) - 1;
      known.set(name, bucket);
    }
    buckets[key] = bucket;
  }
  return { buckets, indexes, words: encoded };
}

/** A word of one byte is reached whatever follows. */
function keysOf(word: Uint8Array): number[] {
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const seconds = word.length > 1 ? bothCases(word[1]!) : all;
  return bothCases(word[0]!).flatMap((first) => seconds.map((second) => (first << 8) | second));
}

function bothCases(byte: number): number[] {
  const isLetter = byte >= 0x61 && byte <= 0x7a;
  return isLetter ? [byte, byte - 32] : [byte];
}
