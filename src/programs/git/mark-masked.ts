import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  lstatSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isBelow } from '../../lib/files/paths.ts';
import { lstatSync as lstatRaw, rawPath } from '../../lib/files/raw-fs.ts';
import { type IndexEntry, type IndexFolder, makeIndexFolder, markIndex } from './mark-index.ts';
import { repositoryFolder } from './repository-folder.ts';

/** A root with what is masked in it, as `survey-root.ts` finds it. */
export type MaskedRoot = {
  name: string;
  folder: string;
  survey: { files: readonly string[]; folders: readonly string[]; repositories: readonly string[] };
};

/** An index in place of the one of a repository. The caller disposes them when git has ended. */
export type MarkedIndexes = Disposable & {
  indexes: readonly { root: string; path: string; source: string }[];
  /** those of the unfiltered files that may be changed, or not */
  untold: readonly string[];
};

/** They compare the work tree with the index, and write none when they may not lock it. */
export const comparing: ReadonlySet<string> = new Set([
  'status',
  'diff',
  'diff-files',
  'diff-index',
  'describe',
  'ls-files',
]);

const maxIndexBytes = 256 * 1024 * 1024;
/** Above it only a look at the file counts. */
const maxReadBytes = 8 * 1024 * 1024;

/** The repository that a command is about. */
export type OwnRepository = {
  root: string;
  /** path of its `.git` below the root */
  path: string;
  /** files whose change cannot be told by themselves, for their filter does not run */
  unfiltered: ReadonlySet<string>;
  /** name of the root as which one that lies outside is seen */
  outer?: string | undefined;
};

/**
 * For a git that sees masks in place of protected files: an index in which those that are tracked
 * and unchanged are marked as such, so that it does not call them modified or deleted. What was
 * changed is still reported as changed, without its content.
 *
 * @param subcommand others than those that only compare see the index as it is
 * @param folder for the copies, which no plugin can be granted
 */
export function markMasked(
  subcommand: string | undefined,
  roots: readonly MaskedRoot[],
  folder: string,
  own?: OwnRepository,
): MarkedIndexes {
  const indexes: { root: string; path: string; source: string }[] = [];
  const untold: string[] = [];
  let place: IndexFolder | undefined;
  if (subcommand !== undefined && comparing.has(subcommand)) {
    for (const root of roots) {
      for (const path of root.survey.repositories) {
        const isOwn = own?.root === root.name && own.path === path;
        const marked = markOne(root, path, isOwn ? own : undefined);
        if (marked === undefined) continue;
        place ??= makeIndexFolder(folder);
        const source = join(place.path, String(indexes.length));
        writeFileSync(source, marked.bytes, { mode: 0o600 });
        indexes.push({ root: marked.root, path: marked.path, source });
        untold.push(...marked.untold);
      }
    }
  }
  return { indexes, untold, [Symbol.dispose]: () => place?.[Symbol.dispose]() };
}

/**
 * @param repository path of a `.git` below the root, a folder or a pointer to one
 * @returns the index, and its path below the root
 */
function markOne(
  { name, folder, survey }: MaskedRoot,
  repository: string,
  own: OwnRepository | undefined,
): { bytes: Buffer; root: string; path: string; untold: string[] } | undefined {
  const top = repository.slice(0, -'.git'.length);
  const below = (paths: readonly string[]): string[] =>
    paths
      .filter((path) => path.startsWith(top) && !/(?:^|\/)\.git(?:\/|$)/i.test(path))
      .map((path) => path.slice(top.length));
  const files = new Set(below(survey.files));
  const folders = below(survey.folders);
  if (files.size === 0 && folders.length === 0 && (own?.unfiltered.size ?? 0) === 0)
    return undefined;
  const isMasked = (path: string): boolean =>
    files.has(path) ||
    // git writes no name that leads up again.
    (folders.some((each) => path.startsWith(`${each}/`)) && !path.split('/').includes('..'));
  const parts = repositoryFolder(folder, repository);
  if (parts === undefined || (parts.isOutside === true && own?.outer === undefined))
    return undefined;
  const at = join(parts.folder, 'index');
  const root = (parts.isOutside && own?.outer) || name;
  const path = relative(parts.isOutside ? parts.common : folder, at);
  // Under a mask there is nothing that another file could be laid over.
  const isHidden =
    parts.isOutside !== true &&
    [...survey.files, ...survey.folders].some((each) => isBelow(path, each));
  if (isHidden) return undefined;
  try {
    const stats = lstatRaw(at, { bigint: true });
    if (!stats.isFile() || stats.size > maxIndexBytes) return undefined;
    const untold: string[] = [];
    const bytes = markIndex(readFileSync(rawPath(at)), (entry) => {
      const file = join(folder, top, entry.path);
      const isFiltered = own?.unfiltered.has(entry.path) === true && isAsLong(file, entry);
      if (isFiltered && !isUntouched(file, entry, stats.mtimeNs)) untold.push(entry.path);
      return isFiltered || (isMasked(entry.path) && isUnchanged(file, entry));
    });
    return bytes === undefined ? undefined : { bytes, root, path, untold };
  } catch {
    // Without it git calls the masked files modified, and is right about all others.
    return undefined;
  }
}

/** Not told by the mode alone: a filter of the repository may make other bytes of the same file. */
function isUnchanged(path: string, entry: IndexEntry): boolean {
  const stats = lstatRaw(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !isSameKind(stats, entry)) return false;
  return isSeen(stats, entry) || blobOf(path, stats, entry.algorithm) === entry.oid;
}

function isSameKind(stats: BigIntStats, { mode }: IndexEntry): boolean {
  if (stats.isSymbolicLink()) return mode === 0o120000;
  const isExecutable = (stats.mode & 0o100n) !== 0n;
  return stats.isFile() && mode === (isExecutable ? 0o100755 : 0o100644);
}

/** Whether a file is the one that git saw, and was last changed before a time. */
function isUntouched(path: string, entry: IndexEntry, beforeNs: bigint): boolean {
  const stats = lstatRaw(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && isSeen(stats, entry) && stats.mtimeNs < beforeNs;
}

/** Git itself asks the filter then; a file of another size is another one for it. */
function isAsLong(path: string, entry: IndexEntry): boolean {
  const stats = lstatRaw(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !isSameKind(stats, entry)) return false;
  return entry.size === 0 || BigInt.asUintN(32, stats.size) === BigInt(entry.size);
}

/** As git looked at it; a size of 0 says that git did not trust its own look. */
function isSeen(stats: BigIntStats, entry: IndexEntry): boolean {
  const nanoseconds = 1_000_000_000n;
  return (
    entry.size !== 0 &&
    stats.mtimeNs / nanoseconds === BigInt(entry.mtimeSeconds) &&
    stats.mtimeNs % nanoseconds === BigInt(entry.mtimeNanoseconds) &&
    BigInt.asUintN(32, stats.ino) === BigInt(entry.ino) &&
    BigInt.asUintN(32, stats.size) === BigInt(entry.size)
  );
}

function blobOf(
  path: string,
  stats: BigIntStats,
  algorithm: IndexEntry['algorithm'],
): string | undefined {
  if (stats.size > maxReadBytes) return undefined;
  const bytes = stats.isSymbolicLink()
    ? readlinkSync(rawPath(path), { encoding: 'buffer' })
    : readFileSync(rawPath(path));
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/**
 * Lets git trust the times of files that are as old as the index: it counts in seconds, and would
 * ask a filter about each of them when it writes the index. Their times say more: where all of them
 * were last changed before the index was written, the index gets a later time.
 *
 * @param top absolute, of the work tree
 * @param isFiltered which of the paths have a filter that does not run
 */
export async function settleIndex(
  index: string,
  top: string,
  isFiltered: (paths: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const own = lstatSync(index, { bigint: true, throwIfNoEntry: false });
  if (own?.isFile() !== true) return;
  const second = own.mtimeNs / 1_000_000_000n;
  const young: IndexEntry[] = [];
  markIndex(readFileSync(index), (entry) => {
    if (BigInt(entry.mtimeSeconds) >= second) young.push(entry);
    return false;
  });
  const isOlder = (entry: IndexEntry): boolean =>
    isUntouched(join(top, entry.path), entry, own.mtimeNs);
  if (young.length === 0 || !young.every(isOlder)) return;
  if (!(await isFiltered(young.map(({ path }) => path)))) return;
  // In the very second there is no later time yet.
  const leftMs = Number((second + 1n) * 1000n) - Date.now();
  if (leftMs > 0 && leftMs <= 1000) await setTimeout(leftMs);
  const now = lstatSync(index, { bigint: true, throwIfNoEntry: false });
  if (now?.mtimeNs !== own.mtimeNs || now.ino !== own.ino || !young.every(isOlder)) return;
  utimesSync(index, new Date(), new Date());
}
