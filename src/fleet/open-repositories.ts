import { existsSync, lstatSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { makeFolder } from '../lib/files/folders.ts';
import { sha256 } from '../lib/sha256.ts';
import { openRoom, type Room } from './open-room.ts';
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
  const room = openRoom(mirrors, options.cacheBytes, (mirror) => inUse.has(mirror));
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
        await fetchInto(git, { mirror, source, isShared, room, signal });
        const head = await commitOf(git, { mirror, isShared, room, signal });
        const made = treeOf(mirror);
        stack.defer(() => removeTree(git, { mirror, tree: made, room, alone }));
        // Twice: git keeps the name of a tree locked whose making was broken off.
        const add = ['worktree', 'add', '--quiet', '--force', '--force', '--detach', made, head];
        await room.fill(made, (each) => git(add, { folder: mirror, signal: each }), { signal });
        const gitDir = await git(['rev-parse', '--absolute-git-dir'], { folder: made, signal });
        return { tree: made, commit: head, gitDir: gitDir.toString('utf8').trim() };
      });
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

type Filling = { mirror: string; isShared: () => boolean; room: Room; signal: AbortSignal };

async function fetchInto(git: RunGit, filling: Filling & { source: string }): Promise<void> {
  const { mirror, source, isShared, room, signal } = filling;
  if (existsSync(mirror)) {
    const args = ['fetch', '--quiet', '--prune', '--force', ...exact(source)];
    args.push(source, '+refs/*:refs/*');
    const fetch = (each: AbortSignal): Promise<Buffer> =>
      git(args, { folder: mirror, isOwn: true, signal: each });
    try {
      await room.fill(mirror, fetch, { signal });
    } catch (thrown) {
      const { code } = KernelError.from(thrown, 'internal');
      if (code === 'resource-exhausted' && !isShared()) room.remove(mirror);
      throw thrown;
    }
  } else {
    const next = `${mirror}.next`;
    rmSync(next, { recursive: true, force: true });
    // Without `--local`, git checks what it copies and follows no link among a stranger's objects.
    const args = ['clone', '--quiet', '--mirror', '--no-local', ...exact(source)];
    const clone = (each: AbortSignal): Promise<Buffer> =>
      git([...args, '--', source, next], { isOwn: true, signal: each });
    try {
      await room.fill(next, clone, { signal, name: mirror });
    } catch (thrown) {
      for (const each of [next, mirror]) room.remove(each);
      throw thrown;
    }
    renameSync(next, mirror);
  }
  const now = new Date();
  utimesSync(mirror, now, now);
}

/** A branch that the remote renamed leaves no commit at HEAD. */
async function commitOf(git: RunGit, { mirror, isShared, room, signal }: Filling): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
    return (await git(args, { folder: mirror, signal })).toString('utf8').trim();
  } catch (thrown) {
    signal.throwIfAborted();
    // The next attempt clones it with the branch that it has now.
    if (!isShared()) room.remove(mirror);
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
    room,
    alone,
  }: {
    mirror: string;
    tree: string;
    room: Room;
    alone: (mirror: string, work: () => Promise<void>) => Promise<void>;
  },
): Promise<void> {
  await alone(mirror, async () => {
    room.remove(tree);
    // A tree that stays listed is pruned by the next one.
    const { signal } = new AbortController();
    await git(['worktree', 'prune'], { folder: mirror, signal }).catch(() => {});
  });
}
