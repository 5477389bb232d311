import { type FileChange, linkMode, type PathState } from '../contracts/file-changes.ts';

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
