import { type FSWatcher, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Finder } from './open-finder.ts';

/** Changes that come within are read together. */
const restMs = 30;
/** If changes go on, read them at least this often. */
const mostMs = 150;
/** With more changed folders (a checkout, or a full queue of the system), look at all files. */
const manyFolders = 200;
const manyEvents = 4000;
const ruleFile = /^(?:\.gitignore|\.ignore|\.cuervoignore|\.git|exclude)$/;

/**
 * Keeps an index up with the files until the signal fires.
 *
 * @param ports.onFollowing called when all that there is was read, and each change is seen
 * @throws what ended it: the system has no more watches, or the index cannot be written
 */
export async function followTree(
  root: string,
  finder: Finder,
  ports: { signal: AbortSignal; onFollowing(): Promise<void> },
): Promise<void> {
  const { signal } = ports;
  const ended = Promise.withResolvers<void>();
  // It may fail before it is waited for.
  ended.promise.catch(() => {});
  const changed = new Set<string>();
  let events = 0;
  let isAll = false;
  let timer: NodeJS.Timeout | undefined;
  let firstMs = 0;
  let isBusy = true;
  let isBehind = false;

  /** Searches look at the files themselves until a change was read: in a large tree that takes seconds. */
  function setBehind(now: boolean): void {
    if (now === isBehind) return;
    finder.setCaughtUp(!now);
    isBehind = now;
  }

  const onChange = (folder: string, name: string | null): void => {
    events += 1;
    changed.add(folder);
    isAll ||= name === null || ruleFile.test(name) || events > manyEvents;
    try {
      setBehind(true);
    } catch (thrown) {
      ended.reject(thrown);
    }
    if (isBusy) return;
    const nowMs = performance.now();
    if (timer === undefined) firstMs = nowMs;
    clearTimeout(timer);
    const waitMs = Math.max(0, Math.min(restMs, firstMs + mostMs - nowMs));
    timer = setTimeout(() => void catchUp().catch(ended.reject), waitMs);
  };

  using watching: TreeWatch = watchTree(root, { onChange, onFailure: ended.reject });

  async function catchUp(): Promise<void> {
    isBusy = true;
    timer = undefined;
    const folders = new Set(changed);
    const isWhole = isAll || folders.size > manyFolders;
    [events, isAll] = [0, false];
    changed.clear();
    setBehind(true);
    if (isWhole) await finder.update({ signal });
    else finder.updateFolders(folders);
    // What came into a new folder before it was watched.
    for (const folder of watching.follow(finder.folders())) changed.add(folder);
    // What changed while this was read is told in the next turn.
    await nextTurn();
    isBusy = false;
    const [next] = changed;
    if (next === undefined) setBehind(false);
    else onChange(next, '');
  }

  const stop = (): void => ended.resolve();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await finder.update({ signal });
    watching.follow(finder.folders());
    // What changed before its folder was watched.
    isAll = true;
    await catchUp();
    await ports.onFollowing();
    if (!signal.aborted) await ended.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Watches folders until it is disposed. The caller owns it. */
export type TreeWatch = Disposable & {
  /**
   * Watches these folders and no others.
   *
   * @returns those that it did not watch before
   */
  follow(folders: ReadonlyMap<string, { ino: number }>): string[];
};

/**
 * Tells of folders in which something changed. On Linux each folder has a watch of its own, since the
 * system has none for trees; elsewhere one does for all.
 *
 * @param onChange path of the folder, relative to the root, and the name in it, where it is known
 * @param onFailure called once, when not all can be watched: the system has no more watches
 */
function watchTree(
  root: string,
  ports: {
    onChange(folder: string, name: string | null): void;
    onFailure(thrown: unknown): void;
  },
  isOneEnough: boolean = process.platform !== 'linux',
): TreeWatch {
  const watches = new Map<string, { watch: FSWatcher; ino: number }>();

  function stop(folder: string): void {
    watches.get(folder)?.watch.close();
    watches.delete(folder);
  }

  function start(folder: string, ino: number): void {
    try {
      const made = watch(`${root}/${folder}`, { recursive: isOneEnough }, (_event, name) => {
        if (!isOneEnough) return ports.onChange(folder, name);
        const path = (name ?? '').replaceAll('\\', '/');
        const slash = path.lastIndexOf('/');
        ports.onChange(path.slice(0, Math.max(0, slash)), path.slice(slash + 1));
      });
      // The folder is gone: the one above tells.
      made.on('error', () => stop(folder));
      watches.set(folder, { watch: made, ino });
    } catch (thrown) {
      const { code = '' } = thrown as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') ports.onFailure(thrown);
    }
  }

  return {
    follow: (folders) => {
      const root = { ino: 0 };
      const wanted = isOneEnough ? new Map([['', root]]) : new Map(folders);
      // The one file with rules that stands in no folder of the walk.
      if (!isOneEnough) wanted.set('.git/info', root);
      for (const [folder, { ino }] of watches) if (wanted.get(folder)?.ino !== ino) stop(folder);
      const added = [...wanted].filter(([folder]) => !watches.has(folder));
      for (const [folder, { ino }] of added) start(folder, ino);
      return added.map(([folder]) => folder).filter((folder) => watches.has(folder));
    },
    [Symbol.dispose]: () => {
      for (const folder of [...watches.keys()]) stop(folder);
    },
  };
}
