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
};

type Planned = UndoStep & { change: NetChange };

/** Looks at each path that a run changed; changes nothing. */
export function planUndo(
  changes: readonly FileChange[],
  files: RootFiles,
): readonly (UndoStep & { change: NetChange })[] {
  return netChanges(changes).map((change) => planPath(change, files.stateOf(change)));
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
  if (before.kind === 'file') return 'restore';
  return before.kind === 'directory' ? 'make-directory' : 'remove';
}

function conflictOf(now: PathState, after: PathState): string {
  if (now.kind === 'other') return now.why;
  if (now.kind === 'absent') return 'was removed since';
  if (now.kind === 'directory') return 'is a directory now';
  return after.kind === 'file' ? 'was changed since' : 'was made anew since';
}

/**
 * Takes changes back, path by path: directories are made first and removed last, and one that
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
  const ofAction = (action: UndoStep['action']) => steps.filter((step) => step.action === action);
  for (const step of ofAction('make-directory').toSorted(byDepth)) files.makeDirectory(step);
  for (const step of ofAction('restore')) {
    const { before, mode } = step.change;
    if (before.kind === 'file') files.put(step, blobs.read(before.hash), mode);
  }
  for (const step of ofAction('remove').toSorted(byDepth).toReversed()) {
    try {
      files.remove(step);
    } catch (thrown) {
      if (step.change.after.kind !== 'directory') throw thrown;
      left.push({ path: step.path, why: 'the directory holds something else by now' });
    }
  }
  return left;
}

function byDepth(one: UndoStep, other: UndoStep): number {
  return one.path.split('/').length - other.path.split('/').length;
}
