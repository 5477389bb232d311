import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { entriesIn, lstatSync, rawPath, showRaw } from '../../lib/files/raw-fs.ts';
import { sha256 } from '../../lib/sha256.ts';
import { yieldToEvents } from '../../lib/turns.ts';
import { fsLimits } from '../../paths/fs-limits.ts';
import {
  enterDirectory,
  type IgnoreState,
  ignoreVerdict,
  noIgnoreRules,
} from '../../paths/ignore-rules.ts';
import { openDirectory } from '../../paths/open-below.ts';
import { closeName, openRoot } from '../../paths/open-name.ts';
import { readLink, readPresent } from '../../paths/present-file.ts';
import { HostFailure } from '../../paths/system-failure.ts';

/** Up to where the state of a root is kept before a program that may write runs. */
export type SnapshotLimits = {
  /** of all files that git does not ignore */
  bytes: number;
  /** of all files that git ignores; 0 does not look at them */
  ignoredBytes: number;
  /** files, folders and links */
  entries: number;
};

export const defaultSnapshotLimits: SnapshotLimits = {
  bytes: 64 * 1024 * 1024,
  ignoredBytes: 0,
  entries: 100_000,
};

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

/** Bytes of a file, or the target of a link. */
export type ReadEntry = { bytes: Uint8Array; hash: string };

/**
 * Opens a root to read single paths below it, passing no link. The caller disposes it.
 *
 * @returns `read` gives undefined for what is gone, is neither file nor link, or is above the
 *   size up to which a file is kept
 */
export function openReader(
  root: string,
  folder: string,
): Disposable & { read(path: string): ReadEntry | undefined } {
  const rootFd = openRoot(folder);
  return {
    read: (path) => {
      const segments = path.split('/');
      const at = { root, rootFd, segments, shown: path };
      const name = segments.at(-1) ?? '';
      try {
        using parent = openDirectory(at, segments.slice(0, -1));
        const link = readLink(parent.fd, name);
        if (link !== undefined) return { bytes: link, hash: sha256(link) };
        const file = readPresent(at, parent.fd, name);
        return file && { bytes: file.bytes, hash: file.hash };
      } catch (thrown) {
        // An error of the system or a refusal for this one path: it is reported as not kept.
        if (thrown instanceof HostFailure || (thrown as NodeJS.ErrnoException).code !== undefined)
          return undefined;
        throw thrown;
      }
    },
    [Symbol.dispose]: () => closeName(rootFd),
  };
}

/** The entries below one path, as far as a look tells. */
export type Walked = {
  kind: 'file' | 'directory' | 'link' | 'other';
  /** permission bits */
  mode: number;
  size: number;
  ino: number;
  /** ns since the epoch, all digits: a number has no room for them */
  mtimeNs: string;
  ctimeNs: string;
  /** why its bytes are not kept */
  uncovered?: 'git-ignored' | 'protected';
  /** of a repository, see `gitHistory()` */
  history?: string;
};

export type RootWalk = {
  /** path relative to the root -> what stands there, without `.git` and what lies in it */
  entries: Map<string, Walked>;
  /** folders that were not gone into, each with the reason */
  closed: Map<string, 'git-ignored' | 'protected' | 'unreadable'>;
  repositories: string[];
  /** true above the limit; the result is incomplete then */
  isCut: boolean;
};

const gitName = /^\.git$/i;

/**
 * Looks at everything below a root; follows no link and reads no file but those of ignore rules.
 *
 * @param options.closed folders that are not gone into, as an earlier walk found them; the rules
 *   are not asked then, so that both walks cover the same
 * @param options.entersIgnored whether to go into git-ignored folders
 */
export async function walkRoot(
  root: string,
  folder: string,
  options: {
    isProtected: ProtectedCheck;
    maxEntries: number;
    entersIgnored?: boolean;
    signal?: AbortSignal;
    closed?: RootWalk['closed'];
  },
): Promise<RootWalk> {
  const { closed: known } = options;
  const walk: RootWalk = { entries: new Map(), closed: new Map(), repositories: [], isCut: false };
  const pending: { at: string; rules: IgnoreState; uncovered?: 'git-ignored' }[] = [
    { at: '', rules: noIgnoreRules },
  ];
  const turn = yieldToEvents(options.signal);
  for (;;) {
    const next = pending.pop();
    if (next === undefined) return walk;
    const { at, uncovered } = next;
    const path = join(folder, at);
    const listed = list(path);
    if (listed === undefined) {
      walk.closed.set(at, 'unreadable');
      continue;
    }
    const names = new Set(listed);
    const rules = known === undefined ? enter(next.rules, at, path, names) : next.rules;
    for (const name of listed) {
      const waits = turn();
      if (waits !== undefined) await waits;
      const childPath = at === '' ? name : `${at}/${name}`;
      if (gitName.test(name)) {
        walk.repositories.push(childPath);
        continue;
      }
      const entry = look(join(path, name));
      if (entry === undefined) continue;
      if (walk.entries.size >= options.maxEntries) {
        walk.isCut = true;
        return walk;
      }
      const isFolder = entry.kind === 'directory';
      // Its changes can be seen, and not be kept: a path is text where they are written down.
      if (!childPath.isWellFormed()) entry.kind = 'other';
      const why = options.isProtected(childPath, root)
        ? 'protected'
        : (uncovered ??
          (known === undefined && ignoreVerdict(rules, childPath, name, isFolder) === true
            ? 'git-ignored'
            : undefined));
      walk.entries.set(childPath, why === undefined ? entry : { ...entry, uncovered: why });
      if (!isFolder) continue;
      const close = known === undefined ? closing(why, options) : known.get(childPath);
      if (close !== undefined) walk.closed.set(childPath, close);
      else
        pending.push({
          at: childPath,
          rules,
          ...(why === 'git-ignored' ? { uncovered: why } : {}),
        });
    }
    options.signal?.throwIfAborted();
  }
}

function closing(
  why: 'git-ignored' | 'protected' | undefined,
  { entersIgnored = false }: { entersIgnored?: boolean },
): 'git-ignored' | 'protected' | undefined {
  return why === 'git-ignored' && entersIgnored ? undefined : why;
}

/** Only what git itself ignores: other ignore files say what is not searched. */
function enter(
  state: IgnoreState,
  at: string,
  path: string,
  names: ReadonlySet<string>,
): IgnoreState {
  const has = (name: string): boolean =>
    (name === '.git' || name === '.gitignore') && names.has(name);
  if (!has('.git') && !has('.gitignore')) return state;
  return enterDirectory(state, at, has, (name) => readRules(join(path, name)));
}

const rulesFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readRules(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(rawPath(path), rulesFlags);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > fsLimits.ignoreFileBytes) return undefined;
    return readFileSync(fd, 'utf8');
  } catch {
    // Without rules more is kept, not less.
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function list(path: string): string[] | undefined {
  try {
    return entriesIn(path).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

/** The entry at a path, without following links; undefined when there is none. */
export function look(path: string): Walked | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    const kind = stats.isFile()
      ? 'file'
      : stats.isDirectory()
        ? 'directory'
        : stats.isSymbolicLink()
          ? 'link'
          : 'other';
    return {
      kind,
      mode: Number(stats.mode & 0o777n),
      size: Number(stats.size),
      ino: Number(stats.ino),
      mtimeNs: String(stats.mtimeNs),
      ctimeNs: String(stats.ctimeNs),
    };
  } catch {
    return undefined;
  }
}
