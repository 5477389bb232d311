import { existsSync, lstatSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { makeFolder } from '../lib/files/folders.ts';
import { sha256 } from '../lib/sha256.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { grantedPlace } from './parse-repositories.ts';
import type { RunGit } from './run-git.ts';

/** A work tree for one job, removed when it is disposed. */
export type Checkout = AsyncDisposable & {
  /** absolute */
  tree: string;
  /** the bare repository that the tree belongs to */
  mirror: string;
  commit: string;
  /** Changes of the tree against the commit, as git writes them; empty without one. */
  patch(): Promise<Uint8Array>;
};

/** Copies of repositories on a worker. */
export type Repositories = {
  /** @throws {KernelError} */
  checkout(repository: string, signal: AbortSignal): Promise<Checkout>;
};

export type RepositoriesOptions = {
  /** of this worker alone; what an earlier worker left there is removed */
  folder: string;
  cacheBytes: number;
  /** see `grantedPlace` */
  granted: readonly string[];
  git: RunGit;
};

/** How often the size of what git fetches is looked at. */
const watchMs = 500;

export function openRepositories(options: RepositoriesOptions): Repositories {
  const { git } = options;
  const mirrors = join(options.folder, 'mirrors');
  const trees = join(options.folder, 'trees');
  // Trees of a worker that was killed.
  rmSync(trees, { recursive: true, force: true });
  for (const each of [mirrors, trees]) makeFolder(each);
  for (const name of readdirSync(mirrors))
    if (!name.endsWith('.git')) rmSync(join(mirrors, name), { recursive: true, force: true });
  const inUse = new Map<string, number>();
  const turns = new Map<string, Promise<unknown>>();
  /** One change of a mirror at a time. */
  const alone = async <Value>(mirror: string, work: () => Promise<Value>): Promise<Value> => {
    const before = turns.get(mirror) ?? Promise.resolve();
    const mine = before.then(work, work);
    turns.set(mirror, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(mirror) === mine) turns.delete(mirror);
    }
  };
  const use = (mirror: string, change: 1 | -1): void => {
    const count = (inUse.get(mirror) ?? 0) + change;
    if (count > 0) inUse.set(mirror, count);
    else inUse.delete(mirror);
  };
  const treeOf = (mirror: string): string => {
    const name = mirror.slice(mirrors.length + 1, -'.git'.length);
    for (let slot = 0; ; slot += 1) {
      const tree = join(trees, `${name}-${slot}`);
      if (existsSync(tree)) continue;
      // Taken at once, before git makes it.
      makeFolder(tree);
      return tree;
    }
  };
  return {
    checkout: async (repository, signal) => {
      const place = grantedPlace(repository, options.granted);
      const mirror = join(mirrors, `${sha256(place).slice(0, 24)}.git`);
      await using stack = new AsyncDisposableStack();
      use(mirror, 1);
      stack.defer(() => use(mirror, -1));
      const { tree, commit, gitDir } = await alone(mirror, async () => {
        const source = await sourceOf(git, place, options.granted, signal);
        // Trees of other jobs read their objects from it.
        const isShared = (): boolean => (inUse.get(mirror) ?? 0) > 1;
        await fetchInto(git, { mirror, source, isShared, maxBytes: options.cacheBytes, signal });
        const head = await commitOf(git, { mirror, isShared, signal });
        const made = treeOf(mirror);
        stack.defer(() => removeTree(git, { mirror, tree: made, alone }));
        await limited(made, options.cacheBytes, signal, (each) =>
          git(['worktree', 'add', '--quiet', '--force', '--detach', made, head], {
            folder: mirror,
            signal: each,
          }),
        );
        const gitDir = await git(['rev-parse', '--absolute-git-dir'], { folder: made, signal });
        return { tree: made, commit: head, gitDir: gitDir.toString('utf8').trim() };
      });
      makeRoom(mirrors, options.cacheBytes, inUse);
      const owned = stack.move();
      return {
        ...{ tree, mirror, commit },
        patch: () => patchOf(git, { tree, gitDir, commit }, signal),
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      };
    },
  };
}

/** git would else try the names `.git` and `NAME.git` at a path first. */
function exact(source: string): string[] {
  return source.startsWith(sep) ? ['--upload-pack', 'git upload-pack --strict'] : [];
}

/**
 * What git fetches from: an address, or the folder of git of a folder. That one lies in a granted
 * folder as a whole: its file `.git`, a link or a list of other places of objects would let it hand
 * out a repository that nobody granted.
 *
 * @throws {KernelError} `permission-denied`
 */
async function sourceOf(
  git: RunGit,
  place: string,
  granted: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  if (!place.startsWith(sep)) return place;
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  // Not a repository above it.
  const env = { GIT_CEILING_DIRECTORIES: dirname(place) };
  const found = await git(args, { folder: place, isOwn: true, env, signal });
  const source = grantedPlace(found.toString('utf8').trimEnd(), granted);
  for (const name of ['objects', 'refs', 'packed-refs', 'HEAD']) {
    const link = linkIn(join(source, name));
    if (link !== undefined)
      throw new KernelError('permission-denied', `${link} is a link, which may lead elsewhere`, {
        hint: 'Clone the repository anew into the granted folder.',
      });
  }
  for (const name of ['alternates', 'http-alternates'])
    if (existsSync(join(source, 'objects', 'info', name))) {
      const message = `${place} takes objects from other repositories (objects/info/${name})`;
      throw new KernelError('permission-denied', message, {
        hint: 'Make it whole: git repack -a -d, and remove that file.',
      });
    }
  return source;
}

/** The first link at or below a path. */
function linkIn(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) return path;
  if (stats?.isDirectory() !== true) return undefined;
  const link = readdirSync(path, { recursive: true, withFileTypes: true }).find((each) =>
    each.isSymbolicLink(),
  );
  return link === undefined ? undefined : join(link.parentPath, link.name);
}

async function fetchInto(
  git: RunGit,
  {
    mirror,
    source,
    isShared,
    maxBytes,
    signal,
  }: {
    mirror: string;
    source: string;
    isShared: () => boolean;
    maxBytes: number;
    signal: AbortSignal;
  },
): Promise<void> {
  if (existsSync(mirror)) {
    const args = ['fetch', '--quiet', '--prune', '--force', ...exact(source)];
    args.push(source, '+refs/*:refs/*');
    const fetch = (each: AbortSignal): Promise<Buffer> =>
      git(args, { folder: mirror, isOwn: true, signal: each });
    await limited(mirror, maxBytes, signal, fetch, isShared);
  } else {
    const next = `${mirror}.next`;
    rmSync(next, { recursive: true, force: true });
    // Without `--local`, git checks what it copies and follows no link among a stranger's objects.
    await limited(next, maxBytes, signal, (each) =>
      git(['clone', '--quiet', '--mirror', '--no-local', ...exact(source), '--', source, next], {
        isOwn: true,
        signal: each,
      }),
    );
    renameSync(next, mirror);
  }
  const now = new Date();
  utimesSync(mirror, now, now);
}

/** A branch that the remote renamed leaves no commit at HEAD. */
async function commitOf(
  git: RunGit,
  { mirror, isShared, signal }: { mirror: string; isShared: () => boolean; signal: AbortSignal },
): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
    return (await git(args, { folder: mirror, signal })).toString('utf8').trim();
  } catch (thrown) {
    signal.throwIfAborted();
    // The next attempt clones it with the branch that it has now.
    if (!isShared()) rmSync(mirror, { recursive: true, force: true });
    throw new KernelError('unavailable', 'the repository has no commit', { cause: thrown });
  }
}

/** The file `.git` of the tree may lead elsewhere by now, so it is not asked where git's folder is. */
async function patchOf(
  git: RunGit,
  { tree, gitDir, commit }: { tree: string; gitDir: string; commit: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const options = { folder: tree, env: { GIT_DIR: gitDir, GIT_WORK_TREE: tree }, signal };
  await git(['add', '--all'], options);
  const form = ['--cached', '--binary', '--full-index', '--no-ext-diff', '--no-textconv'];
  const plain = ['--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  return await git(['diff', ...form, ...plain, commit], options);
}

async function removeTree(
  git: RunGit,
  {
    mirror,
    tree,
    alone,
  }: {
    mirror: string;
    tree: string;
    alone: (mirror: string, work: () => Promise<void>) => Promise<void>;
  },
): Promise<void> {
  await alone(mirror, async () => {
    rmSync(tree, { recursive: true, force: true });
    // A tree that stays listed is pruned by the next one.
    const { signal } = new AbortController();
    await git(['worktree', 'prune'], { folder: mirror, signal }).catch(() => {});
  });
}

/**
 * Runs what fills a folder, and ends it at the limit. The folder is removed then, unless others
 * use it.
 *
 * @throws {KernelError} `resource-exhausted`
 */
async function limited<Value>(
  folder: string,
  maxBytes: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
  isShared: () => boolean = () => false,
): Promise<Value> {
  const full = new AbortController();
  const timer = setInterval(() => {
    if (bytesBelow(folder) > maxBytes) full.abort();
  }, watchMs);
  try {
    const value = await work(AbortSignal.any([signal, full.signal]));
    if (bytesBelow(folder) <= maxBytes) return value;
    full.abort();
  } catch (thrown) {
    if (!full.signal.aborted) throw thrown;
  } finally {
    clearInterval(timer);
  }
  if (!isShared()) rmSync(folder, { recursive: true, force: true });
  const message = `the repository takes more than ${sizeText(maxBytes)} (fleet.cache-bytes)`;
  throw new KernelError('resource-exhausted', message, {
    hint: 'Give this worker more: cuervo config set fleet.cache-bytes BYTES',
  });
}

/** Removes the mirrors that were used longest ago, until the others fit. */
function makeRoom(mirrors: string, maxBytes: number, inUse: ReadonlyMap<string, number>): void {
  const all = readdirSync(mirrors)
    .map((name) => join(mirrors, name))
    .map((path) => ({ path, bytes: bytesBelow(path), usedMs: lstatSync(path).mtimeMs }))
    .sort((left, right) => left.usedMs - right.usedMs);
  let bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  for (const each of all) {
    if (bytes <= maxBytes) return;
    if (inUse.has(each.path)) continue;
    rmSync(each.path, { recursive: true, force: true });
    bytes -= each.bytes;
  }
}

/** What is removed meanwhile counts nothing. */
function bytesBelow(folder: string): number {
  let bytes = 0;
  const names = (path: string) => {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch {
      return [];
    }
  };
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (const each of names(path)) {
      const inside = join(path, each.name);
      if (each.isDirectory()) open.push(inside);
      else bytes += lstatSync(inside, { throwIfNoEntry: false })?.size ?? 0;
    }
  return bytes;
}
