import {
  type FileChange,
  linkMode,
  type PathState,
  type RootFiles,
  type RootPath,
  type WantedPath,
} from '../contracts/file-changes.ts';
import type { BlobStore } from './blob-store.ts';

export type UndoStep = {
  root: string;
  path: string;
  /** `done` when it is as it was before already */
  action: 'restore' | 'remove' | 'make-directory' | 'done';
  /** why the undo would lose later changes; absent when it would not */
  conflict?: string;
  /** true when the bytes before are not kept any more, so that nobody can restore them */
  isLost?: true;
  /** true when an undo never changes this path: it is behind a link, no file, or too large */
  isBlocked?: true;
};

type Planned = UndoStep & { change: NetChange };

/**
 * Checks each path that a run changed; changes nothing.
 *
 * @param kept hashes of the bytes that are still kept
 */
export function planUndo(
  changes: readonly FileChange[],
  files: Pick<RootFiles, 'stateOf'>,
  kept: ReadonlySet<string>,
): readonly (UndoStep & { change: NetChange })[] {
  const all = netChanges(changes);
  const folders = all.filter(({ before }) => before.kind === 'directory');
  const stateOf = statesPastLinks(folders, files);
  return all.map((change) => {
    const step = planPath(change, stateOf(change));
    const { before } = change;
    if (step.action !== 'restore' || !('hash' in before) || kept.has(before.hash)) return step;
    return {
      ...step,
      isLost: true,
      conflict: 'cannot be restored: its old content is no longer kept',
    };
  });
}

function planPath(change: NetChange, now: PathState): Planned {
  const { root, path, before, after } = change;
  const base = { root, path, change };
  if (isSameState(now, before)) return { ...base, action: 'done' };
  const action = actionTo(before);
  if (isSameState(now, after) || isHalfWay(change, now)) return { ...base, action };
  const isBlocked = now.kind === 'other' ? { isBlocked: true as const } : {};
  return { ...base, action, ...isBlocked, conflict: conflictOf(now, after) };
}

/**
 * A folder and a file change places in two steps. An undo that was interrupted in between
 * continues.
 */
function isHalfWay({ before, after }: NetChange, now: PathState): boolean {
  const [wasFolder, isFolder] = [before.kind === 'directory', after.kind === 'directory'];
  const isSwap = wasFolder !== isFolder && before.kind !== 'absent' && after.kind !== 'absent';
  return isSwap && now.kind === 'absent';
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
  return after.kind === 'absent' ? 'was created again since' : 'was changed since';
}

/**
 * Undoes changes. Each file is either as it is now or as it was before, even after a crash. A
 * directory that holds something else now stays as it is.
 *
 * @param steps of `planUndo`, those to do
 * @returns paths that were left, with the reason
 * @throws {KernelError} what reading a blob or writing a file throws; what was done until then
 *   stays done, and the next undo goes on from there
 */
export async function undoChanges(
  steps: readonly (UndoStep & { change: NetChange })[],
  ports: { files: RootFiles; blobs: Pick<BlobStore, 'read'> },
): Promise<{ path: string; why: string }[]> {
  const { files, blobs } = ports;
  const wanted = steps
    .filter(({ action }) => action !== 'done')
    .map((step) => wantedOf(step, blobs));
  const left = await files.become(wanted);
  return left.map(({ path }) => ({ path, why: 'the directory holds something else now' }));
}

function wantedOf({ root, path, change }: Planned, blobs: Pick<BlobStore, 'read'>): WantedPath {
  const { before, mode } = change;
  const at = { root, path };
  if (before.kind === 'file' || before.kind === 'link') {
    const bytes = (): Uint8Array => blobs.read(before.hash);
    if (before.kind === 'link') return { ...at, kind: 'link', hash: before.hash, bytes };
    return { ...at, kind: 'file', hash: before.hash, bytes, mode: before.mode ?? mode };
  }
  return before.kind === 'directory'
    ? { ...at, kind: 'directory', mode }
    : { ...at, kind: 'absent' };
}

/**
 * The state under a path when links may replace folders: below such a link there is nothing,
 * wherever it leads.
 *
 * @param folders paths at which a folder was, or is to be
 */
export function statesPastLinks(
  folders: readonly RootPath[],
  files: Pick<RootFiles, 'stateOf'>,
): (at: RootPath) => PathState {
  const links = folders
    .filter((at) => files.stateOf(at).kind === 'link')
    .map((at) => `${keyOf(at)}/`);
  return (at) =>
    links.some((link) => keyOf(at).startsWith(link)) ? { kind: 'absent' } : files.stateOf(at);
}

function keyOf({ root, path }: RootPath): string {
  return `${root}:${path}`;
}

/** One path as a run found it and as it left it. */
export type NetChange = {
  root: string;
  path: string;
  before: PathState;
  /** permission bits before; of directories and of what was absent they say nothing */
  mode: number;
  after: PathState;
};

/**
 * The net effect of many changes for each path, in the order of the first change. A path that ended
 * as it began is skipped.
 *
 * @param changes oldest first
 */
export function netChanges(changes: readonly FileChange[]): NetChange[] {
  const paths = new Map<string, NetChange>();
  const note = (change: FileChange, path: string, before: PathState, after: PathState): void => {
    const key = `${change.root}:${path}`;
    const known = paths.get(key);
    if (known === undefined) {
      paths.set(key, { root: change.root, path, before, mode: change.mode, after });
    } else known.after = after;
  };
  for (const change of changes) {
    for (const { path, before, after } of statesOf(change)) note(change, path, before, after);
  }
  return [...paths.values()].filter(({ before, after }) => !isSameState(before, after));
}

export function statesOf(
  change: FileChange,
): { path: string; before: PathState; after: PathState }[] {
  const { path, mode, afterMode } = change;
  const before = stateOf(change.beforeHash, change.kind === 'remove', mode);
  const after = stateOf(change.afterHash, change.kind === 'create', mode, afterMode);
  if (change.kind !== 'rename') return [{ path, before, after }];
  return [
    { path, before, after: absent },
    { path: change.target ?? '', before: absent, after },
  ];
}

/** Permission bits count when both are known. */
export function isSameState(one: PathState, other: PathState): boolean {
  if (one.kind === 'file' && other.kind === 'file') {
    const { mode = other.mode } = one;
    return one.hash === other.hash && mode === (other.mode ?? mode);
  }
  if (one.kind === 'link' && other.kind === 'link') return one.hash === other.hash;
  return one.kind === other.kind && one.kind !== 'other';
}

const absent: PathState = { kind: 'absent' };

/** Without a hash there is nothing, or a directory where one was made or removed. */
function stateOf(
  hash: string | undefined,
  isDirectory: boolean,
  mode: number,
  afterMode?: number,
): PathState {
  if (hash === undefined) return isDirectory ? { kind: 'directory' } : absent;
  if ((mode & linkMode) === linkMode) return { kind: 'link', hash };
  return { kind: 'file', hash, mode: afterMode ?? mode };
}
