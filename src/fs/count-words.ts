import { doubled } from '../lib/numbers.ts';
import {
  beginsPart,
  byteClass,
  classOfByte,
  findEvents,
  lowerByte,
  startsIdentifier,
} from '../lib/text/word-parts.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { createWordTable, type WordTable } from './word-table.ts';

/**
 * Counts the words of one text after another. A word is hit where a part of an identifier
 * begins with it, and where an identifier does (see `word-parts`).
 */
export type WordCounter = {
  /** lines of the last text; a line feed at its end begins no further one */
  lines: number;
  /** of the last text */
  parts: number;
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

/** @param words lower case, at most 64 */
export function createWordCounter(words: readonly string[]): WordCounter {
  const table = createWordTable(words);
  /** offsets of events; one more is written than counts */
  let events = new Uint32Array(4096);
  const counter: WordCounter = {
    lines: 0,
    parts: 0,
    partsBefore: new Uint32Array(4096),
    hits: new Uint32Array(4096),
    hitCount: 0,
    overflowed: false,
    count: (bytes, start, end) => {
      if (events.length < end + 2) {
        events = new Uint32Array(2 * (end + 2));
        counter.partsBefore = new Uint32Array(2 * (end + 2));
      }
      countEvents(counter, table, bytes, events, findEvents(bytes, start, end, events));
      if (end > start && bytes[end - 1] !== 0x0a) endLastLine(counter);
    },
  };
  return counter;
}

function countEvents(
  counter: WordCounter,
  table: WordTable,
  bytes: Uint8Array,
  events: Uint32Array,
  eventCount: number,
): void {
  const { buckets } = table;
  const { partsBefore } = counter;
  counter.hitCount = 0;
  counter.overflowed = false;
  let parts = 0;
  let line = 0;
  for (let event = 0; event < eventCount; event += 1) {
    const at = events[event]!;
    const byte = bytes[at]!;
    if (byte === 0x0a) {
      line += 1;
      partsBefore[line] = parts;
      continue;
    }
    parts += 1;
    const bucket = buckets[(byte << 8) | bytes[at + 1]!]!;
    if (bucket !== 0) hitWords(counter, table, bucket, bytes, at, line);
  }
  counter.lines = line;
  counter.parts = parts;
}

/** A line without a line feed. */
function endLastLine(counter: WordCounter): void {
  counter.lines += 1;
  counter.partsBefore[counter.lines] = counter.parts;
}

function hitWords(
  counter: WordCounter,
  table: WordTable,
  bucket: number,
  bytes: Uint8Array,
  at: number,
  line: number,
): void {
  for (const index of table.indexes[bucket]!) {
    const word = table.words[index]!;
    if (!beginsWith(bytes, at, word)) continue;
    if (!isOnePart(bytes, at, word.length) && !startsIdentifier(bytes, at)) continue;
    if (counter.hitCount === fsLimits.tallyFileHits) {
      counter.overflowed = true;
      return;
    }
    if (counter.hitCount === counter.hits.length) counter.hits = doubled(counter.hits);
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

/** True when so many bytes from `at`, where a part begins, belong to that part. */
function isOnePart(bytes: Uint8Array, at: number, length: number): boolean {
  for (let next = at + 1; next < at + length; next += 1) {
    const kind = classOfByte[bytes[next]!]!;
    if (kind === byteClass.underscore) return false;
    if (beginsPart(classOfByte[bytes[next - 1]!]!, kind, classOfByte[bytes[next + 1]!]!)) {
      return false;
    }
  }
  return true;
}
