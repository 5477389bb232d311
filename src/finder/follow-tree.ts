import type { Finder } from './open-finder.ts';
import { type TreeWatch, watchTree } from './watch-tree.ts';

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
  const changed = new Set<string>();
  let events = 0;
  let isAll = false;
  let timer: NodeJS.Timeout | undefined;
  let firstMs = 0;
  let isBusy = true;

  const onChange = (folder: string, name: string | null): void => {
    events += 1;
    changed.add(folder);
    isAll ||= name === null || ruleFile.test(name) || events > manyEvents;
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
    if (isWhole) {
      finder.setCaughtUp(false);
      await finder.update({ signal });
      finder.setCaughtUp(true);
    } else finder.updateFolders(folders);
    // What came into a new folder before it was watched.
    for (const folder of watching.follow(finder.folders())) changed.add(folder);
    isBusy = false;
    const [next] = changed;
    if (next !== undefined) onChange(next, '');
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
