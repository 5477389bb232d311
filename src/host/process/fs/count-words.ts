import { fsLimits } from './fs-limits.ts';
import {
  byteClass,
  classOfByte,
  createWordTable,
  lowerByte,
  type WordTable,
} from './word-table.ts';

/**
 * Counts the words of one text after another. An identifier is a run of letters, digits and
 * `_`; its parts begin where the case rises, after `_`, and between letters and digits
 * (`HTTPServer_v2`: HTTP, Server, v, 2). A word is hit where a part begins with it, and
 * where an identifier does.
 */
export type WordCounter = {
  /** lines of the last text; a line feed at its end begins no further one */
  lines: number;
  /** `partsBefore[n]` parts stand in the first n lines */
  partsBefore: Uint32Array;
  /** `line << 6 | word`, both from 0, in order of their place */
  hits: Uint32Array;
  hitCount: number;
  /** true when there were more hits than are kept */
  overflowed: boolean;
  /** @param bytes hold a zero at `end` */
  count(bytes: Uint8Array, start: number, end: number): void;
};

const { lower, upper, digit, underscore, newline } = byteClass;

/** @param words lower case, at most 64 */
export function createWordCounter(words: readonly string[]): WordCounter {
  const table = createWordTable(words);
  const counter: WordCounter = {
    lines: 0,
    partsBefore: new Uint32Array(4096),
    hits: new Uint32Array(4096),
    hitCount: 0,
    overflowed: false,
    count: (bytes, start, end) => countText(counter, table, bytes, start, end),
  };
  return counter;
}

/** The loop over every byte: typed tables and local numbers only. */
function countText(
  counter: WordCounter,
  table: WordTable,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const { buckets } = table;
  if (counter.partsBefore.length < end + 2) counter.partsBefore = new Uint32Array(2 * (end + 2));
  const { partsBefore } = counter;
  counter.hitCount = 0;
  counter.overflowed = false;
  let parts = 0;
  let line = 0;
  let kind = 0;
  let inIdentifier = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    const before = kind;
    kind = classOfByte[byte]!;
    if (kind === lower) {
      if (before === lower || before === upper) continue;
    } else if (kind === upper) {
      if (before === upper && classOfByte[bytes[at + 1]!] !== lower) continue;
    } else if (kind === digit) {
      if (before === digit) continue;
    } else {
      if (kind === underscore) continue;
      inIdentifier = false;
      if (kind === newline) {
        line += 1;
        partsBefore[line] = parts;
      }
      continue;
    }
    parts += 1;
    const bucket = buckets[(lowerByte[byte]! << 8) | lowerByte[bytes[at + 1]!]!]!;
    if (bucket !== 0) hitWords(counter, table, bucket, bytes, at, line, !inIdentifier);
    inIdentifier = true;
  }
  if (end > start && kind !== newline) line += 1;
  partsBefore[line] = parts;
  counter.lines = line;
}

function hitWords(
  counter: WordCounter,
  table: WordTable,
  bucket: number,
  bytes: Uint8Array,
  at: number,
  line: number,
  startsIdentifier: boolean,
): void {
  for (const index of table.indexes[bucket]!) {
    const word = table.words[index]!;
    if (!beginsWith(bytes, at, word)) continue;
    if (!startsIdentifier && !isOnePart(bytes, at, word.length)) continue;
    if (counter.hitCount === fsLimits.tallyFileHits) {
      counter.overflowed = true;
      return;
    }
    if (counter.hitCount === counter.hits.length) counter.hits = grown(counter.hits);
    counter.hits[counter.hitCount] = (line << 6) | index;
    counter.hitCount += 1;
  }
}

/** The first two bytes are known to be equal, or the word has one. */
function beginsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let offset = 2; offset < word.length; offset += 1) {
    if (lowerByte[bytes[at + offset]!] !== word[offset]) return false;
  }
  return true;
}

/** True when no further part begins behind `at` within so many bytes. */
function isOnePart(bytes: Uint8Array, at: number, length: number): boolean {
  for (let next = at + 1; next < at + length; next += 1) {
    const before = classOfByte[bytes[next - 1]!]!;
    const kind = classOfByte[bytes[next]!]!;
    if (kind === lower ? before !== lower && before !== upper : kind !== before) return false;
    if (kind === upper && classOfByte[bytes[next + 1]!] === lower) return false;
    if (kind === underscore) return false;
  }
  return true;
}

/** Twice as long. */
export function grown(numbers: Uint32Array): Uint32Array {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
