import { isSettled } from '../../lib/files/times.ts';
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
export function isStill(
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
