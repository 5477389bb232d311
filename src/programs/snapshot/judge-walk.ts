import { showRaw } from '../../lib/files/raw-fs.ts';
import type { SnapshotLimits } from './snapshot-limits.ts';
import type { RootWalk } from './walk-root.ts';

/** The part of a root that can be kept, in words for a person. */
export type WalkVerdict = {
  /** why nothing is kept at all; absent where the state is kept */
  beyond?: string;
  /** git-ignored files are kept, too */
  keepsIgnored: boolean;
  /** one sentence on what is not looked at; absent where all of it is */
  uncovered?: string;
};

const shownFolders = 3;

/** Compares what was found with the limits; pure. */
export function judgeWalk(walk: RootWalk, limits: SnapshotLimits): WalkVerdict {
  let bytes = 0;
  let ignoredBytes = 0;
  for (const { kind, size, uncovered } of walk.entries.values()) {
    if (kind !== 'file') continue;
    if (uncovered === undefined) bytes += size;
    else if (uncovered === 'git-ignored') ignoredBytes += size;
  }
  const keepsIgnored = limits.ignoredBytes > 0 && ignoredBytes <= limits.ignoredBytes;
  const verdict = { keepsIgnored, ...uncoveredIn(walk) };
  if (walk.isCut) {
    return { ...verdict, beyond: `the workspace has more than ${limits.entries} files` };
  }
  if (bytes <= limits.bytes) return verdict;
  const beyond = `the workspace has ${mebibytes(bytes)} MiB, limit ${mebibytes(limits.bytes)} MiB (workspace.snapshot-bytes)`;
  return { ...verdict, beyond };
}

function uncoveredIn(walk: RootWalk): Pick<WalkVerdict, 'uncovered'> {
  const folders = [...walk.closed].filter(([, why]) => why === 'git-ignored').map(([at]) => at);
  if (folders.length === 0) return {};
  return { uncovered: `git-ignored files are not kept: ${listed(folders)}` };
}

/** The first few of many paths. */
export function listed(paths: readonly string[], shown = shownFolders): string {
  const more = paths.length - shown;
  return `${paths.slice(0, shown).map(showRaw).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function mebibytes(bytes: number): string {
  const value = bytes / (1024 * 1024);
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}
