import { setImmediate } from 'node:timers/promises';
import { doubled } from '../../lib/number-array.ts';
import { isWordByte } from '../../lib/word-parts.ts';
import { fsLimits } from '../below/fs-limits.ts';
import { blockLines, type KnownQuestion, type KnownWindows } from '../protocol/known-windows.ts';
import type { SegmentFile } from './build-segment.ts';
import { type FileStamp, isSameStamp, stampsBelow } from './file-stamp.ts';
import { blocksOf, openCounts, readFiles, readParts } from './read-segment.ts';
import type { StoredSegment, WordFile } from './word-file.ts';

/** Numbers of an answer, 32 MB; a larger one would take longer than the files. */
const maxNumbers = fsLimits.tallyPairs;

type Answer = {
  paths: string[];
  files: number[];
  windows: Uint32Array;
  size: number;
};

/**
 * The windows of lines in the files below a place that are as they were when their words were
 * counted; each is looked at now. Of any other nothing is said, whatever is known of it.
 *
 * @param folder of the root, absolute
 * @returns undefined when it would be too large
 */
export async function countWindows(
  file: WordFile,
  folder: string,
  question: KnownQuestion,
  { signal }: { signal: AbortSignal },
): Promise<KnownWindows | undefined> {
  const answer: Answer = { paths: [], files: [], windows: new Uint32Array(65_536), size: 0 };
  const stampAt = stampsBelow(folder);
  for (const segment of file.segments) {
    // Whatever else the kernel does goes on in between.
    await setImmediate();
    signal.throwIfAborted();
    try {
      addSegment(answer, segment, stampAt, question);
    } catch (thrown) {
      // A damaged one is as if it was not there.
      if (!(thrown instanceof RangeError)) throw thrown;
    }
    if (answer.size > maxNumbers) return undefined;
  }
  return {
    paths: answer.paths,
    files: Uint32Array.from(answer.files),
    windows: answer.windows.subarray(0, answer.size),
  };
}

function addSegment(
  answer: Answer,
  segment: StoredSegment,
  stampAt: (path: string) => FileStamp | undefined,
  { start, words, window, step }: KnownQuestion,
): void {
  const files = readFiles(segment);
  const prefix = start === '' ? '' : `${start}/`;
  const standing = files.map(({ path, stamp }) => {
    if (!path.startsWith(prefix) && path !== start) return false;
    const now = stampAt(path);
    return now !== undefined && isSameStamp(now, stamp);
  });
  if (!standing.includes(true)) return;
  const parts = readParts(segment);
  const counts = countWords(segment, words, parts.length);
  let block = 0;
  for (const [index, file] of files.entries()) {
    const blocks = blocksOf(file);
    if (standing[index] === true) {
      const own = { parts: parts.subarray(block, block + blocks), counts, first: block };
      addFile(answer, file, own, { columns: words.length, window, step });
    }
    block += blocks;
  }
}

/** How often each block has each word: of block `n` from `n * words.length` on. */
function countWords(segment: StoredSegment, words: readonly string[], blocks: number): Uint32Array {
  const counts = new Uint32Array(blocks * words.length);
  const add = openCounts(segment);
  for (const [column, word] of words.entries()) {
    const bytes = Buffer.from(word);
    // No identifier holds any other.
    if (bytes.every(isWordByte)) add(bytes, counts, column, words.length);
  }
  return counts;
}

type FileCounts = { parts: Uint32Array; counts: Uint32Array; first: number };

function addFile(
  answer: Answer,
  { path, lines }: SegmentFile,
  { parts, counts, first }: FileCounts,
  { columns, window, step }: { columns: number; window: number; step: number },
): void {
  const windowBlocks = window / blockLines;
  const stepBlocks = step / blockLines;
  const before = answer.size;
  const sums = new Uint32Array(columns);
  let [total, totalLength, holding, hits] = [0, 0, 0, 0];
  for (let at = first * columns; at < (first + parts.length) * columns; at += 1)
    hits += counts[at]!;
  // So many are not all counted, and which are depends on their order.
  if (hits > fsLimits.tallyFileHits) return;
  for (let start = 0; start < parts.length; start += stepBlocks) {
    const end = Math.min(start + windowBlocks, parts.length);
    let length = 0;
    sums.fill(0);
    for (let block = start; block < end; block += 1) {
      length += parts[block]!;
      const row = (first + block) * columns;
      for (let column = 0; column < columns; column += 1) sums[column]! += counts[row + column]!;
    }
    total += 1;
    totalLength += length;
    if (addWindow(answer, start * blockLines + 1, length, sums)) holding += 1;
    if ((start + windowBlocks) * blockLines >= lines) break;
  }
  if (totalLength > 0xffffffff) {
    answer.size = before;
    return;
  }
  answer.paths.push(path);
  answer.files.push(total, totalLength, holding);
}

/** @returns whether it holds a word */
function addWindow(answer: Answer, line: number, length: number, sums: Uint32Array): boolean {
  while (answer.size + 3 + sums.length > answer.windows.length) {
    answer.windows = doubled(answer.windows);
  }
  const { windows } = answer;
  const pairsAt = answer.size + 3;
  let next = pairsAt;
  for (let word = 0; word < sums.length; word += 1) {
    if (sums[word] === 0) continue;
    windows[next] = ((sums[word]! << 6) | word) >>> 0;
    next += 1;
  }
  if (next === pairsAt) return false;
  windows.set([line, length, next - pairsAt], answer.size);
  answer.size = next;
  return true;
}
