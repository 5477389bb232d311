import { doubled } from '../lib/numbers.ts';
import { fsLimits } from '../paths/fs-limits.ts';

/**
 * The windows that hold a word, kept until all are known: only then the rare words are.
 * Numbers alone, in a few typed arrays.
 */
export type WindowStore = {
  /** @param counts one for each word, some of them above 0 */
  add(file: number, line: number, length: number, counts: Uint32Array): void;
  size: number;
  /** true when a window found no place */
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
