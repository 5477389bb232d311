import { fs, HostError, paths } from '@cuervo/sdk';
import { splitLines } from './cut-lines.ts';
import { partsOf } from './folder-parts.ts';
import { walkEnd } from './walk-end.ts';

/** Bytes of a file whose lines are counted. */
const maxCountedBytes = 8 * 1024 * 1024;
/** Entries that one walk looks at. */
const maxEntries = 100_000;
/** Parts of a folder that are told, the largest first. */
const maxParts = 30;

/** @returns nothing where the file is not UTF-8, may not be read or is too large */
export function fileLines(place: string): { lines?: number } {
  try {
    const file = fs.readText(place, maxCountedBytes);
    return file.truncated ? {} : { lines: splitLines(file.text).length };
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    return {};
  }
}

/**
 * Files, bytes and lines of all that lies below a folder and is neither hidden nor ignored.
 *
 * @param globs only files that one of them names; none for all
 * @returns lines are those of text; files over 2 MiB and minified ones have none
 */
export function folderSize(place: string, globs: readonly string[]) {
  const include = [...globs];
  const walked = fs.walk(place, { limit: maxEntries, include });
  const end = walkEnd();
  const found = walked.filter(({ kind }) => kind === 'file');
  const prefix = paths.shown(place) === '.' ? '' : `${paths.shown(place)}/`;
  const files = found.map((file) => ({ path: paths.shown(file.path), size: file.size }));
  const parts = partsOf(files, prefix);
  // Windows of one line: there are as many as lines.
  const { total: lines } = fs.tally(place, {
    words: [],
    window: 1,
    overlap: 0,
    limit: 1,
    walk: { include },
  });
  return {
    size: files.reduce((sum, file) => sum + file.size, 0),
    files: files.length,
    lines,
    entries: parts.slice(0, maxParts),
    total: parts.length,
    ...end,
  };
}

/** The largest of these may be the longest; a call has a limited number of host calls. */
const maxCounted = 150;

/**
 * The largest files below a folder that are neither hidden nor ignored, with their lines.
 *
 * @param by which is told first: the one with the most bytes, or with the most lines
 */
export function largestFiles(
  place: string,
  globs: readonly string[],
  { by, limit }: { by: 'bytes' | 'lines'; limit: number },
) {
  const walked = fs.walk(place, { limit: maxEntries, include: [...globs] });
  const end = walkEnd();
  const files = walked
    .filter(({ kind }) => kind === 'file')
    .sort((one, other) => other.size - one.size || (one.path < other.path ? -1 : 1));
  const counted = files
    .slice(0, by === 'lines' ? maxCounted : limit)
    .map(({ path, size }) => ({ path: paths.shown(path), kind: 'file', size, ...fileLines(path) }));
  if (by === 'lines') counted.sort((one, other) => (other.lines ?? 0) - (one.lines ?? 0));
  return { entries: counted.slice(0, limit), total: files.length, ...end };
}
