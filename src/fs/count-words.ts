import { doubled } from '../lib/numbers.ts';
import {
  beginsPart,
  byteClass,
  classOfByte,
  findEvents,
  isWordByte,
  lowerByte,
  startsIdentifier,
} from '../lib/text/words.ts';
import { fsLimits } from '../paths/fs-limits.ts';

/**
 * The highest scores, best first; equal ones in their order.
 *
 * @returns at most `limit` positions in `scores`
 */
export function bestWindows(scores: Float64Array, limit: number): number[] {
  const threshold = scores.length > limit ? scores.toSorted()[scores.length - limit]! : -Infinity;
  const above: number[] = [];
  const equal: number[] = [];
  for (const [index, score] of scores.entries()) {
    if (score > threshold) above.push(index);
    else if (score === threshold && equal.length < limit) equal.push(index);
  }
  const best = [...above, ...equal].slice(0, limit);
  return best.sort((one, other) => scores[other]! - scores[one]! || one - other);
}

/**
 * How much a word tells, as in BM25: ln(1 + (N − n + ½) / (n + ½)).
 *
 * @param total all windows
 * @param holding windows that hold the word, one number a word
 */
export function inverseFrequencies(total: number, holding: Uint32Array): Float64Array {
  return Float64Array.from(holding, (n) => Math.log(1 + (total - n + 0.5) / (n + 0.5)));
}

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
function createWordTable(words: readonly string[]): WordTable {
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

/** The buckets of a word. A word of one byte is in the bucket of every second byte. */
function keysOf(word: Uint8Array): number[] {
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const seconds = word.length > 1 ? bothCases(word[1]!) : all;
  return bothCases(word[0]!).flatMap((first) => seconds.map((second) => (first << 8) | second));
}

function bothCases(byte: number): number[] {
  const isLetter = byte >= 0x61 && byte <= 0x7a;
  return isLetter ? [byte, byte - 32] : [byte];
}

/**
 * The windows that hold a word, kept as numbers in typed arrays. Scores wait until all windows are
 * known, because only then the rare words are.
 */
export type WindowStore = {
  /** @param counts one for each word, some of them above 0 */
  add(file: number, line: number, length: number, counts: Uint32Array): void;
  size: number;
  /** true when a window was dropped for lack of room */
  overflowed: boolean;
  /** sum of `weights[word]` over the words in a window */
  score(window: number, weights: Float64Array): number;
  file(window: number): number;
  line(window: number): number;
  length(window: number): number;
  counts(window: number): Uint32Array;
};

/** Numbers of a window: file, line, length, where its pairs begin and end. */
const fields = 5;

export function createWindowStore(wordCount: number): WindowStore {
  let windows: Uint32Array = new Uint32Array(1024 * fields);
  /** `count << 6 | word` */
  let pairs: Uint32Array = new Uint32Array(4096);
  let pairCount = 0;

  function addPairs(counts: Uint32Array): void {
    for (let word = 0; word < wordCount; word += 1) {
      const count = counts[word]!;
      if (count === 0) continue;
      if (pairCount === pairs.length) pairs = doubled(pairs);
      pairs[pairCount] = ((count << 6) | word) >>> 0;
      pairCount += 1;
    }
  }

  const field = (window: number, offset: number) => windows[window * fields + offset]!;

  const store: WindowStore = {
    size: 0,
    overflowed: false,
    add: (file, line, length, counts) => {
      if (pairCount + wordCount > fsLimits.tallyPairs) {
        store.overflowed = true;
        return;
      }
      const at = store.size * fields;
      if (at === windows.length) windows = doubled(windows);
      const from = pairCount;
      addPairs(counts);
      windows.set([file, line, length, from, pairCount], at);
      store.size += 1;
    },
    score: (window, weights) => {
      let sum = 0;
      for (let pair = field(window, 3); pair < field(window, 4); pair += 1) {
        sum += weights[pairs[pair]! & 63]!;
      }
      return sum;
    },
    file: (window) => field(window, 0),
    line: (window) => field(window, 1),
    length: (window) => field(window, 2),
    counts: (window) => {
      const counts = new Uint32Array(wordCount);
      for (let pair = field(window, 3); pair < field(window, 4); pair += 1) {
        counts[pairs[pair]! & 63] = pairs[pair]! >>> 6;
      }
      return counts;
    },
  };
  return store;
}

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

/** Compares from the third byte on: the bucket already matched the first two. */
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
