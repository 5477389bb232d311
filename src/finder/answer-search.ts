import { isDocument } from '../contracts/not-read.ts';
import { bestWindows, inverseFrequencies } from '../fs/count-words.ts';
import { indexedWindow } from '../fs/file-words.ts';
import type { IndexedScan, IndexedTally, ScanOptions, TallyOptions } from '../fs/fs-types.ts';
import { type RequiredText, requiredText } from '../fs/required-text.ts';
import type { IndexFile, Row } from './open-index-file.ts';

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

/** Longer expressions take longer than the files that they leave out. */
const maxCharacters = 20_000;
/** Those at the start of a text tell it from nearly all others. */
const maxTrigrams = 24;
/** Of more, every third trigram is asked for, which covers a text: all of them would take longer. */
const fewLiterals = 6;

/**
 * An expression of trigrams that each text with a match fulfils, and some others.
 *
 * @param folds the search takes capital letters for small ones
 * @returns undefined where nothing can be asked for
 */
function textQuery(required: RequiredText | undefined, folds: boolean): string | undefined {
  if (required === undefined) return undefined;
  const step = literalsOf(required) > fewLiterals ? 3 : 1;
  const query = expressionOf(required, { folds, step });
  return query === undefined || query.length > maxCharacters ? undefined : query;
}

function literalsOf(required: RequiredText): number {
  if (typeof required === 'string') return 1;
  const parts = 'all' in required ? required.all : required.any;
  return parts.reduce((sum, each) => sum + literalsOf(each), 0);
}

type How = { folds: boolean; step: number };

function expressionOf(required: RequiredText, how: How): string | undefined {
  if (typeof required === 'string') return trigramsOf(required, how);
  if ('all' in required) {
    const parts = required.all.flatMap((each) => expressionOf(each, how) ?? []);
    return parts.length === 0 ? undefined : `(${parts.join(' AND ')})`;
  }
  const parts = required.any.map((each) => expressionOf(each, how));
  return parts.includes(undefined) ? undefined : `(${parts.join(' OR ')})`;
}

/** Letters that a search in any case may take for others than the index does; see `readFileWords()`. */
const unsure = /[^\0-\x7f]/;
const mark = /\p{M}|\0/u;

function trigramsOf(text: string, { folds, step }: How): string | undefined {
  const characters = [...text];
  const all: string[] = [];
  for (let at = 0; at + 3 <= characters.length; at += 1) {
    const trigram = characters.slice(at, at + 3).join('');
    if (!mark.test(trigram) && !(folds && unsure.test(trigram))) all.push(trigram);
  }
  const asked = all
    .filter((_, at) => at % step === 0 || at === all.length - 1)
    .slice(0, maxTrigrams);
  if (asked.length === 0) return undefined;
  const quoted = asked.map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
  return `(${[...new Set(quoted)].join(' AND ')})`;
}
