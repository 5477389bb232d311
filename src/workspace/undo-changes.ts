import type { FileChange, PathState, RootFiles } from '../contracts/file-changes.ts';
import type { BlobStore } from './blob-store.ts';
import { isSameState, type NetChange, netChanges } from './net-changes.ts';

/** What taking a run back would do to one path. */
export type UndoStep = {
  root: string;
  path: string;
  /** `done` when it is as it was before already */
  action: 'restore' | 'remove' | 'make-directory' | 'done';
  /** why it cannot be done without losing what came later; absent when it can */
  conflict?: string;
  /** true when the bytes before are not kept any more, so that nobody can restore them */
  isLost?: true;
};

type Planned = UndoStep & { change: NetChange };

/**
 * Looks at each path that a run changed; changes nothing.
 *
 * @param kept hashes of the bytes that are still kept
 */
export function planUndo(
  changes: readonly FileChange[],
  files: RootFiles,
  kept: ReadonlySet<string>,
): readonly (UndoStep & { change: NetChange })[] {
  return netChanges(changes).map((change) => {
    const step = planPath(change, files.stateOf(change));
    const { before } = change;
    if (step.action !== 'restore' || !('hash' in before) || kept.has(before.hash)) return step;
    return {
      ...step,
      isLost: true,
      conflict: 'cannot be restored: what it was is not kept any more',
    };
  });
}

function planPath(change: NetChange, now: PathState): Planned {
  const { root, path, before, after } = change;
  const base = { root, path, change };
  if (isSameState(now, before)) return { ...base, action: 'done' };
  const action = actionTo(before);
  if (isSameState(now, after)) return { ...base, action };
  return { ...base, action, conflict: conflictOf(now, after) };
}

function actionTo(before: PathState): UndoStep['action'] {
  if (before.kind === 'file' || before.kind === 'link') return 'restore';
  return before.kind === 'directory' ? 'make-directory' : 'remove';
}

function conflictOf(now: PathState, after: PathState): string {
  if (now.kind === 'other') return now.why;
  if (now.kind === 'absent') return 'was removed since';
  if (now.kind !== after.kind && now.kind === 'directory') return 'is a directory now';
  if (now.kind !== after.kind && now.kind === 'link') return 'is a link now';
  return after.kind === 'absent' ? 'was made anew since' : 'was changed since';
}

/**
 * Takes changes back, path by path. What was made goes first, the deepest before what holds it, so
 * that a file may stand again where a directory was made, and the other way round; a directory that
 * holds something else by now is left as it is.
 *
 * @param steps of `planUndo`, those to do
 * @returns paths that were left, with the reason
 * @throws {KernelError} what reading a blob or writing a file throws; what was done until then
 *   stays done, and the next undo goes on from there
 */
export function undoChanges(
  steps: readonly (UndoStep & { change: NetChange })[],
  ports: { files: RootFiles; blobs: Pick<BlobStore, 'read'> },
): { path: string; why: string }[] {
  const { files, blobs } = ports;
  const left: { path: string; why: string }[] = [];
  const isLeft = (path: string): boolean => left.some((each) => each.path === path);
  for (const step of steps.filter(inTheWay(files)).toSorted(byDepth).toReversed()) {
    try {
      files.remove(step);
    } catch (thrown) {
      if (step.change.after.kind !== 'directory') throw thrown;
      left.push({ path: step.path, why: 'the directory holds something else by now' });
    }
  }
  const ofAction = (action: UndoStep['action']) =>
    steps.filter((step) => step.action === action && !isLeft(step.path));
  for (const step of ofAction('make-directory').toSorted(byDepth)) {
    files.makeDirectory(step, step.change.mode);
  }
  for (const step of ofAction('restore')) {
    const { before, mode } = step.change;
    if (before.kind === 'file') files.put(step, blobs.read(before.hash), before.mode ?? mode);
    else if (before.kind === 'link') files.putLink(step, blobs.read(before.hash));
  }
  return left;
}

/** To be removed, or of a kind over which the earlier one cannot be put. */
function inTheWay(files: RootFiles): (step: Planned) => boolean {
  return (step) => {
    if (step.action === 'done') return false;
    if (step.action === 'remove') return true;
    if (step.action === 'restore' && step.change.after.kind !== 'directory') return false;
    const now = files.stateOf(step).kind;
    return step.action === 'restore' ? now === 'directory' : now === 'file' || now === 'link';
  };
}

function byDepth(one: UndoStep, other: UndoStep): number {
  return one.path.split('/').length - other.path.split('/').length;
}
