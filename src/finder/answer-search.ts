import { isDocument } from '../contracts/not-read.ts';
import { bestWindows, inverseFrequencies } from '../fs/count-words.ts';
import { indexedWindow } from '../fs/file-words.ts';
import type { IndexedScan, IndexedTally, ScanOptions, TallyOptions } from '../fs/fs-types.ts';
import { requiredText } from '../fs/required-text.ts';
import type { IndexFile, Row } from './open-index-file.ts';
import { textQuery } from './text-query.ts';

/** Above this share of all files, to go by a list of them takes longer than to go by folders. */
const mostShare = 0.6;

/**
 * The files in which a scan can find a line.
 *
 * @param rows that the search passes, in order; rows without an id are files that were not read
 * @returns undefined where nearly all of them can
 */
export function answerScan(
  index: IndexFile,
  rows: readonly Row[],
  options: ScanOptions,
): IndexedScan | undefined {
  const query = textQuery(requiredText(options), options.caseInsensitive);
  if (query === undefined) return undefined;
  const holding = new Set(index.texts(query));
  const found: { paths: string[]; files: number[]; bytes: number[] } = {
    paths: [],
    files: [],
    bytes: [],
  };
  let [files, bytes] = [0, 0];
  for (const row of rows) {
    if (!row.isFile) continue;
    if (row.id === 0 || row.isOpaque || holding.has(row.id) || isMissed(row)) {
      found.paths.push(row.path);
      found.files.push(files);
      found.bytes.push(bytes);
    } else if (row.bytes >= 0) {
      files += 1;
      bytes += row.bytes;
    }
  }
  if (found.paths.length > mostShare * rows.length) return undefined;
  found.files.push(files);
  found.bytes.push(bytes);
  return found;
}

/**
 * The files with the best windows of a tally, and its sums.
 *
 * @param rows that it comes by, in order
 * @returns undefined for other windows than the index has, or where a file was not read
 */
export function answerTally(
  index: IndexFile,
  rows: readonly Row[],
  { words, window, overlap, limit }: TallyOptions,
): IndexedTally | undefined {
  if (window !== indexedWindow.lines || overlap !== indexedWindow.overlap) return undefined;
  const files = rows.filter((row) => row.windows > 0 || row.id === 0);
  if (files.some(({ id, isFile }) => id === 0 && isFile)) return undefined;
  const places = placeWindows(files);
  const hits = words.map((word) => placesOf(index, word, places.of));
  const holding = hits.map(({ length }) => length);
  const weights = inverseFrequencies(places.total, Uint32Array.from(holding));
  const scores = new Float64Array(places.total);
  for (const [at, all] of hits.entries())
    for (const place of all) scores[place] = (scores[place] as number) + (weights[at] as number);
  const held = [...scores.keys()].filter((place) => (scores[place] as number) > 0);
  const best = bestWindows(
    Float64Array.from(held, (place) => scores[place] as number),
    limit,
  );
  const holders = new Set(best.map((at) => files[places.files[held[at] as number] as number]));
  return {
    paths: rows.filter((row) => holders.has(row) || isMissed(row)).map(({ path }) => path),
    total: places.total,
    totalLength: files.reduce((sum, { length }) => sum + length, 0),
    holding,
    windows: held.length,
  };
}

/** It is looked at, so that a search counts what it could not read. */
const isMissed = ({ isFile, windows, path }: Row): boolean =>
  isFile && windows === 0 && isDocument(path);

/** The windows of files in the order of a walk. */
function placeWindows(files: readonly Row[]) {
  const total = files.reduce((sum, { windows }) => sum + windows, 0);
  const last = files.reduce((most, { first, windows }) => Math.max(most, first + windows), 0);
  /** number of a window -> its place and one; 0 for one of another file */
  const of = new Uint32Array(last);
  /** place -> its file */
  const fileOf = new Uint32Array(total);
  let place = 0;
  for (const [at, { first, windows }] of files.entries())
    for (let window = first; window < first + windows; window += 1) {
      fileOf[place] = at;
      place += 1;
      of[window] = place;
    }
  return { of, files: fileOf, total };
}

const wordOnly = /^[a-z0-9\x80-\xff][a-z0-9_\x80-\xff]*$/;

function placesOf(index: IndexFile, word: string, of: Uint32Array): number[] {
  const bytes = Buffer.from(word).toString('latin1');
  // No word of the index begins with other characters.
  if (!wordOnly.test(bytes)) return [];
  return index.windows(bytes).flatMap((window) => {
    const place = of[window] ?? 0;
    return place === 0 ? [] : [place - 1];
  });
}
