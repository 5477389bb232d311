import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSettled } from '../../lib/files/times.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { Walked } from './walk-root.ts';

/** A path that differs, as far as a look at it tells. */
export type Difference = { path: string; before?: Walked; after?: Walked };

/**
 * The differences between two walks, in an order in which they can be made: removals first, deepest
 * first, then additions.
 *
 * @param takenAtMs start of the first walk, ms since the epoch
 */
export function compareWalks(
  before: ReadonlyMap<string, Walked>,
  after: ReadonlyMap<string, Walked>,
  takenAtMs: number,
): Difference[] {
  const gone = [...before]
    .filter(([path]) => !after.has(path))
    .map(([path, was]): Difference => ({ path, before: was }))
    .reverse();
  const there = [...after].flatMap(([path, is]): Difference[] => {
    const was = before.get(path);
    if (was === undefined) return [{ path, after: is }];
    return isSame(was, is, takenAtMs) ? [] : [{ path, before: was, after: is }];
  });
  return [...gone, ...there];
}

function isSame(was: Walked, is: Walked, takenAtMs: number): boolean {
  if (was.kind !== is.kind || was.mode !== is.mode) return false;
  if (is.kind === 'directory') return true;
  return (
    was.ino === is.ino &&
    was.size === is.size &&
    was.mtimeNs === is.mtimeNs &&
    was.ctimeNs === is.ctimeNs &&
    isSettled(Number(is.ctimeNs) / 1e6, takenAtMs)
  );
}

/** Whether what is known of a file's bytes still holds. @param readAtMs when they were read */
function isStill(
  known: Pick<Walked, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>,
  now: Walked,
  readAtMs: number,
): boolean {
  return (
    known.ino === now.ino &&
    known.size === now.size &&
    known.mtimeNs === now.mtimeNs &&
    known.ctimeNs === now.ctimeNs &&
    isSettled(Number(now.ctimeNs) / 1e6, readAtMs)
  );
}

/** A file as it was read: `[path, ino, size, mtimeNs, ctimeNs, readAtMs, SHA-256]`. */
type Row = [string, number, number, string, string, number, string];

/** The hash of a file when it was last read, found by the file's `stat`. */
export type KnownHashes = {
  /** undefined where the file may have changed since */
  of(path: string, now: Walked): string | undefined;
  set(path: string, now: Walked, readAtMs: number, hash: string): void;
};

/** The largest file on the disk; above it everything is read again. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * Remembered from one process to the next, so that only changed files are read again. An unreadable
 * memory is dropped, which only costs time.
 *
 * @param folder `CUERVO_HOME/snapshots`, made by the first save
 * @param root its absolute directory
 */
export function loadKnownHashes(
  folder: string,
  root: string,
): KnownHashes & {
  /** @param still the paths that there are */ save(still: ReadonlySet<string>): void;
} {
  const path = join(folder, `${sha256(root)}.json`);
  const rows = new Map(read(path).map((row) => [row[0], row]));
  let isChanged = false;
  return {
    of: (at, now) => {
      const row = rows.get(at);
      if (row === undefined) return undefined;
      const [, ino, size, mtimeNs, ctimeNs, readAtMs, hash] = row;
      return isStill({ ino, size, mtimeNs, ctimeNs }, now, readAtMs) ? hash : undefined;
    },
    set: (at, { ino, size, mtimeNs, ctimeNs }, readAtMs, hash) => {
      rows.set(at, [at, ino, size, mtimeNs, ctimeNs, readAtMs, hash]);
      isChanged = true;
    },
    save: (still) => {
      if (!isChanged) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const kept = [...rows.values()].filter(([at]) => still.has(at));
        writeFileWhole(path, JSON.stringify(kept), { flush: false });
        isChanged = false;
      } catch {
        rmSync(path, { force: true });
      }
    },
  };
}

function read(path: string): Row[] {
  try {
    const text = readFileSync(path, 'utf8');
    const value: unknown = text.length > maxFileBytes ? [] : JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRow) : [];
  } catch {
    return [];
  }
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 7) return false;
  const kinds = ['string', 'number', 'number', 'string', 'string', 'number', 'string'];
  return kinds.every((kind, index) => typeof value[index] === kind);
}
