import { fsLimits } from '../../below/fs-limits.ts';
import { HostFailure } from '../../below/host-failure.ts';
import { showPath } from '../../below/parse-path.ts';
import { hasLongLines, talliedText } from '../../below/tallied-text.ts';
import { blockLines, type KnownQuestion, type KnownWindows } from '../../protocol/known-windows.ts';
import { bestWindows, inverseFrequencies } from './best-windows.ts';
import { checkNumber, checkRange } from './check-number.ts';
import { createWordCounter, type WordCounter } from './count-words.ts';
import { expectWork } from './expect-work.ts';
import type { TallyOptions, TallyResult, TallyWindow } from './fs-types.ts';
import { createKnownFiles, type KnownFile } from './known-files.ts';
import type { Folder } from './open-files.ts';
import { openFolders } from './open-folders.ts';
import { createContentReader } from './read-content.ts';
import type { SearchPlace } from './search-place.ts';
import { visitTree } from './visit-tree.ts';
import { createWindowStore } from './window-store.ts';

/**
 * Asks the kernel for what it knows of the words, and comes back at once.
 *
 * @returns undefined when it knows nothing of that root, else a function that waits for the answer
 */
export type AskKnown = (question: KnownQuestion) => (() => KnownWindows | undefined) | undefined;

/**
 * Counts words by windows of lines in the text files below a place and gives the windows
 * with the rarest words. Binary files, those over 2 MiB and minified ones (over 500 bytes a
 * line) are left out. What the kernel knows of files that are as they were is not read again.
 *
 * @throws {HostFailure} `invalid` or `limit` for the options
 */
export function tallyTree(
  place: SearchPlace,
  options: TallyOptions,
  askKnown: AskKnown = () => undefined,
): TallyResult {
  const limit = checkNumber('limit', options.limit, 1, fsLimits.windows);
  const window = checkRange('window', options.window, 1, fsLimits.windowLines);
  const step = window - checkRange('overlap', options.overlap, 0, window - 1);
  checkWords(options.words);
  expectWork();
  const counter = createWordCounter(options.words);
  using reader = createContentReader(place);
  const store = createWindowStore(options.words.length);
  const holding = new Uint32Array(options.words.length);
  const counts = new Uint32Array(options.words.length);
  const files: string[] = [];
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
    const text = talliedText(reader.buffer, length);
    if (text === undefined) return;
    counter.count(text.bytes, text.start, text.end);
    if (hasLongLines(text.end, counter.lines)) return;
    overflowed ||= counter.overflowed;
    addWindows(path, counter);
  }

  function addKnown(path: string, known: KnownFile): void {
    total += known.total;
    totalLength += known.totalLength;
    const file = known.holding === 0 ? -1 : files.push(path) - 1;
    known.eachWindow(counts, (line, length) => {
      for (const [word, count] of counts.entries()) if (count > 0) holding[word]! += 1;
      store.add(file, line, length, counts);
    });
  }

  const visitFiles = (visit: (folder: Folder, name: string, path: string) => void) =>
    visitTree({
      ...place,
      options: options.walk,
      visit: (folder, name, path, kind) => {
        if (kind === 'file' && !place.isWithheld(path)) visit(folder, name, path);
        return true;
      },
    });

  /** The kernel looks at the files that it knows while they are listed here. */
  function addAll(takeKnown: () => KnownWindows | undefined): boolean {
    const paths: string[] = [];
    let cut: boolean;
    let known: KnownWindows | undefined;
    try {
      cut = visitFiles((_folder, _name, path) => void paths.push(path));
    } finally {
      // The answer is on the way, and nothing else can be heard before it was taken.
      known = takeKnown();
    }
    const knownFiles = createKnownFiles(known);
    using folders = openFolders(place.rootFd);
    for (const path of paths) {
      const file = knownFiles(path);
      if (file !== undefined) addKnown(path, file);
      else folders.reach(path, (folder, name) => addFile(folder, name, path));
    }
    return cut;
  }

  const { include, maxDepth } = options.walk;
  // Of few files the kernel would look at all others in vain.
  const isWhole = include.length === 0 && maxDepth === undefined;
  const isKnown = isWhole && window % blockLines === 0 && step % blockLines === 0;
  const { words } = options;
  const start = place.start.join('/');
  const takeKnown = isKnown
    ? askKnown({ root: place.root, start, words, window, step })
    : undefined;
  const cut = takeKnown === undefined ? visitFiles(addFile) : addAll(takeKnown);

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
  const truncated = cut || overflowed || store.overflowed || store.size > limit;
  const meanLength = total === 0 ? 0 : totalLength / total;
  return { windows, total, holding, meanLength, truncated };
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
