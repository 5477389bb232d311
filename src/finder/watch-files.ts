import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../lib/sha256.ts';
import { tryLock } from '../lib/sqlite/database-file.ts';
import type { Finder } from './open-finder.ts';

/** Locks in the folder of an index. */
const roleLock = 'watcher.lock';
/** Held while the watcher sees every change; the file's time is the time of the last search. */
const stateLock = 'watched.lock';
const askedAgainMs = 60_000;
const idleMs = 30 * 60_000;
const tries = 20;
const pauseMs = 50;

/**
 * Whether a process watches the files of an index; the system ends the lock with its holder.
 *
 * @param asks notes a search, for which the watcher goes on
 */
export function isWatched(folder: string, { asks } = { asks: true }): boolean {
  const path = join(folder, stateLock);
  if (!existsSync(path)) return false;
  const held = tryLock(path);
  held?.[Symbol.dispose]();
  if (held !== undefined) return false;
  if (asks && Date.now() - statSync(path).mtimeMs > askedAgainMs)
    utimesSync(path, new Date(), new Date());
  return true;
}

/**
 * Keeps an index up with the files until the signal fires.
 *
 * @param options.untilIdle ends it when nobody has searched for half an hour
 * @returns false where another process does this
 */
export async function watchFiles(
  place: { folder: string; root: string; finder: Finder },
  options: { signal: AbortSignal; untilIdle: boolean; onWatching(): void },
): Promise<boolean> {
  const { folder, root, finder } = place;
  using role = tryLock(join(folder, roleLock));
  if (role === undefined) return false;
  using held = new DisposableStack();
  const idle = new AbortController();
  const state = join(folder, stateLock);
  const startedMs = Date.now();
  if (options.untilIdle) {
    const timer = setInterval(() => {
      const askedMs = statSync(state, { throwIfNoEntry: false })?.mtimeMs ?? startedMs;
      if (Date.now() - Math.max(askedMs, startedMs) > idleMs) idle.abort();
    }, idleMs / 10);
    held.defer(() => clearInterval(timer));
  }
  const { followTree } = await import('./follow-tree.ts');
  await followTree(root, finder, {
    signal: AbortSignal.any([options.signal, idle.signal]),
    onFollowing: async () => {
      // Try several times: a process that tests the lock holds it for a moment.
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const lock = tryLock(state);
        if (lock !== undefined) {
          held.use(lock);
          options.onWatching();
          return;
        }
        await sleep(pauseMs);
      }
    },
  });
  return true;
}

const pathDigits = 32;

/** Where the index of the files of a workspace lies. */
export function indexFolder(home: string, workspace: string): string {
  return join(home, 'index', sha256(workspace).slice(0, pathDigits));
}
