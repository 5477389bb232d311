import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type IndexEntry, markIndex } from './mark-index.ts';

/** A root with what is masked in it, as `survey-root.ts` finds it. */
export type MaskedRoot = {
  name: string;
  folder: string;
  survey: { files: readonly string[]; folders: readonly string[]; repositories: readonly string[] };
};

/** An index in place of the one of a repository. The caller disposes them when git has ended. */
export type MarkedIndexes = Disposable & {
  indexes: readonly { root: string; path: string; source: string }[];
};

/** They compare the work tree with the index, and write none when they may not lock it. */
const comparing: ReadonlySet<string> = new Set([
  'status',
  'diff',
  'diff-files',
  'diff-index',
  'describe',
  'ls-files',
]);

const maxIndexBytes = 256 * 1024 * 1024;
/** Above it only what looking at a file tells counts. */
const maxReadBytes = 8 * 1024 * 1024;

/**
 * For a git that sees masks in place of protected files: an index in which those that are tracked
 * and unchanged are marked as such, so that it does not call them modified or deleted. What was
 * changed is still called so, and nothing of the content is told.
 *
 * @param subcommand others than those that only compare see the index as it is
 * @param folder for the copies, which no plugin can be granted
 */
export function markMasked(
  subcommand: string | undefined,
  roots: readonly MaskedRoot[],
  folder: string,
): MarkedIndexes {
  const indexes: { root: string; path: string; source: string }[] = [];
  let place: string | undefined;
  const dispose = (): void => {
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  };
  if (subcommand !== undefined && comparing.has(subcommand)) {
    for (const root of roots) {
      for (const path of root.survey.repositories) {
        const marked = markOne(root, path);
        if (marked === undefined) continue;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        place ??= mkdtempSync(join(folder, 'index-'));
        const source = join(place, String(indexes.length));
        writeFileSync(source, marked, { mode: 0o600 });
        indexes.push({ root: root.name, path: `${path}/index`, source });
      }
    }
  }
  return { indexes, [Symbol.dispose]: dispose };
}

/** @param repository path of a `.git` below the root */
function markOne({ folder, survey }: MaskedRoot, repository: string): Buffer | undefined {
  const top = repository.slice(0, -'.git'.length);
  const below = (paths: readonly string[]): string[] =>
    paths
      .filter((path) => path.startsWith(top) && !/(?:^|\/)\.git(?:\/|$)/i.test(path))
      .map((path) => path.slice(top.length));
  const files = new Set(below(survey.files));
  const folders = below(survey.folders);
  if (files.size === 0 && folders.length === 0) return undefined;
  const isMasked = (path: string): boolean =>
    files.has(path) || folders.some((each) => path.startsWith(`${each}/`));
  try {
    const at = join(folder, repository, 'index');
    const stats = lstatSync(at);
    if (!stats.isFile() || stats.size > maxIndexBytes) return undefined;
    return markIndex(
      readFileSync(at),
      (entry) => isMasked(entry.path) && isUnchanged(join(folder, top, entry.path), entry),
    );
  } catch {
    // Without it git calls the masked files modified, and is right about all others.
    return undefined;
  }
}

/** Not told by the mode alone: a filter of the repository may make other bytes of the same file. */
function isUnchanged(path: string, entry: IndexEntry): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !isSameKind(stats, entry)) return false;
  return isSeen(stats, entry) || blobOf(path, stats) === entry.oid;
}

function isSameKind(stats: BigIntStats, { mode }: IndexEntry): boolean {
  if (stats.isSymbolicLink()) return mode === 0o120000;
  const isExecutable = (stats.mode & 0o100n) !== 0n;
  return stats.isFile() && mode === (isExecutable ? 0o100755 : 0o100644);
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

function blobOf(path: string, stats: BigIntStats): string | undefined {
  if (stats.size > maxReadBytes) return undefined;
  const bytes = stats.isSymbolicLink()
    ? readlinkSync(path, { encoding: 'buffer' })
    : readFileSync(path);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
