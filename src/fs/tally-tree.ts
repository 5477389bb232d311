import { createNotReadSum, unreadable } from '../contracts/not-read.ts';
import { once } from '../lib/memo.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { showPath } from '../paths/parse-path.ts';
import { hasLongLines, talliedText } from '../paths/present-file.ts';
import { HostFailure } from '../paths/system-failure.ts';
import {
  bestWindows,
  createWindowStore,
  createWordCounter,
  inverseFrequencies,
  type WordCounter,
} from './count-words.ts';
import {
  type IndexedTally,
  namesOnWay,
  type TallyOptions,
  type TallyResult,
  type TallyWindow,
} from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';
import type { Folder } from './open-files.ts';
import { createContentReader } from './read-content.ts';
import { visitTree } from './visit-tree.ts';
import { checkNumber, checkRange } from './work-within.ts';

/**
 * Counts words by windows of lines in the text files below a place and gives the windows
 * with the rarest words. Binary files, those over 2 MiB and minified ones (over 500 bytes a
 * line) are left out.
 *
 * @param indexed the files with the best windows, and the sums; all files are counted when absent
 * @throws {HostFailure} `invalid` or `limit` for the options
 */
export function tallyTree(
  place: SearchPlace,
  options: TallyOptions,
  indexed?: IndexedTally,
): TallyResult {
  const limit = checkNumber('limit', options.limit, 1, fsLimits.windows);
  const window = checkRange('window', options.window, 1, fsLimits.windowLines);
  const step = window - checkRange('overlap', options.overlap, 0, window - 1);
  checkWords(options.words);
  expectWork();
  const counter = createWordCounter(options.words);
  using reader = createContentReader(place);
  const store = createWindowStore(options.words.length);
  let holding = new Uint32Array(options.words.length);
  const counts = new Uint32Array(options.words.length);
  const files: string[] = [];
  const missed = createNotReadSum();
  let total = 0;
  let totalLength = 0;
  let overflowed = false;

  /** Slides over the lines; hits go in at its end and out at its start. */
  function addWindows(path: string, { lines, partsBefore, hits, hitCount }: WordCounter): void {
    const file = hitCount === 0 ? -1 : files.push(path) - 1;
    counts.fill(0);
    let first = 0;
    let next = 0;
    for (let start = 0; start < lines; start += step) {
      const end = Math.min(start + window, lines);
      const length = partsBefore[end]! - partsBefore[start]!;
      total += 1;
      totalLength += length;
      for (; next < hitCount && hits[next]! >>> 6 < end; next += 1) counts[hits[next]! & 63]! += 1;
      for (; first < next && hits[first]! >>> 6 < start; first += 1)
        counts[hits[first]! & 63]! -= 1;
      if (first < next) {
        for (const [word, count] of counts.entries()) if (count > 0) holding[word]! += 1;
        store.add(file, start + 1, length, counts);
      }
      if (end === lines) break;
    }
  }

  function addFile(folder: Folder, name: string, path: string): void {
    const length = reader.read(folder, name);
    const kind = length > fsLimits.tallyFileBytes ? 'over 2 MiB' : reader.missed;
    if (kind !== undefined) missed.add(kind, place.shownPath(path));
    const text = talliedText(reader.buffer, length);
    if (text === undefined) return;
    counter.count(text.bytes, text.start, text.end);
    if (hasLongLines(text.end, counter.lines)) return;
    overflowed ||= counter.overflowed;
    addWindows(path, counter);
  }

  const cut = visitTree({
    ...place,
    maxEntries: Number.MAX_SAFE_INTEGER,
    options: options.walk,
    namesIn: indexed && namesOnWay(indexed),
    onUnread: (path) => missed.add(unreadable, place.shownPath(path)),
    visit: (folder, name, path, kind) => {
      if (kind === 'file' && !place.isWithheld(path)) addFile(folder, name, path);
      return true;
    },
  });

  if (indexed !== undefined) {
    ({ total, totalLength } = indexed);
    holding = Uint32Array.from(indexed.holding);
  }
  const weights = inverseFrequencies(total, holding);
  const scores = Float64Array.from({ length: store.size }, (_, at) => store.score(at, weights));
  const best = bestWindows(scores, limit);
  const windows = best.map(
    (at): TallyWindow => ({
      path: place.shownPath(files[store.file(at)]!),
      line: store.line(at),
      length: store.length(at),
      counts: store.counts(at),
    }),
  );
  const found = indexed?.windows ?? store.size;
  const truncated = cut !== undefined || overflowed || store.overflowed || found > limit;
  const meanLength = total === 0 ? 0 : totalLength / total;
  const unsearched = cut && { ...cut, path: place.shownPath(cut.path) };
  return { windows, total, holding, meanLength, truncated, unsearched, notRead: missed.list() };
}

function checkWords(words: readonly string[]): void {
  if (words.length > fsLimits.words) {
    throw new HostFailure('limit', `${words.length} words, limit ${fsLimits.words}`);
  }
  for (const word of words) {
    if (word.length > fsLimits.wordCharacters) {
      const text = `a word has ${word.length} characters, limit ${fsLimits.wordCharacters}`;
      throw new HostFailure('limit', text);
    }
    if (word === '' || word !== word.toLowerCase()) {
      throw new HostFailure('invalid', `word ${showPath(word)} is empty or not lower case`);
    }
  }
}

/**
 * Plugin processes start without the compilers for JavaScript: a few calls gain nothing by them,
 * nor does a search, which waits for the system. Counting words in a large tree gains, so it turns
 * the compilers back on. Takes 2 ms and 3 MB, the first time.
 */
const expectWork = once((): void => {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of engineDefaults) setFlagsFromString(flag);
});

/** Flags of V8 14, in place of those in `engineFlags`. */
const engineDefaults = [
  '--invocation-count-for-maglev=400',
  '--invocation-count-for-maglev-osr=100',
  '--invocation-count-for-turbofan=3000',
];
