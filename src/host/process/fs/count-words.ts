import { fsLimits } from '../../below/fs-limits.ts';
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

const { lower, upper, digit, underscore, newline, other } = byteClass;

/**
 * Whether something happens at a byte, a part or a line ending, by the classes of the byte
 * before, the byte and the byte behind it: `before << 6 | byte << 3 | behind`.
 */
const eventTable: Uint8Array = Uint8Array.from({ length: 512 }, (_, classes) =>
  isEvent(classes >> 6, (classes >> 3) & 7, classes & 7) ? 1 : 0,
);

function isEvent(before: number, kind: number, behind: number): boolean {
  return kind === newline || beginsPart(before, kind, behind);
}

/** Of capital letters in a row the last begins a part when a small one follows. */
function beginsPart(before: number, kind: number, behind: number): boolean {
  if (kind === lower) return before !== lower && before !== upper;
  if (kind === upper) return before !== upper || behind === lower;
  return kind === digit && before !== digit;
}

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

/**
 * The loop over every byte. Without a branch it takes half the time: words are short, and
 * where each ends cannot be predicted.
 *
 * @returns how many offsets were written
 */
function findEvents(bytes: Uint8Array, start: number, end: number, events: Uint32Array): number {
  let count = 0;
  let classes = classOfByte[bytes[start]!]!;
  for (let at = start; at < end; at += 1) {
    classes = ((classes << 3) | classOfByte[bytes[at + 1]!]!) & 511;
    events[count] = at;
    count += eventTable[classes]!;
  }
  return count;
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

/** True when so many bytes from `at`, where a part begins, belong to that part. */
function isOnePart(bytes: Uint8Array, at: number, length: number): boolean {
  for (let next = at + 1; next < at + length; next += 1) {
    const kind = classOfByte[bytes[next]!]!;
    if (kind === underscore) return false;
    if (beginsPart(classOfByte[bytes[next - 1]!]!, kind, classOfByte[bytes[next + 1]!]!)) {
      return false;
    }
  }
  return true;
}

/** True when nothing but `_` stands before it in its identifier. */
function startsIdentifier(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && bytes[before] === 0x5f) before -= 1;
  const kind = before < 0 ? other : classOfByte[bytes[before]!]!;
  return kind === other || kind === newline;
}

/** Twice as long. */
export function grown(numbers: Uint32Array): Uint32Array {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
