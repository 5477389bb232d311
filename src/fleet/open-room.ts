import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { sizeText } from '../lib/text/amounts.ts';

/** What copies and trees of repositories may take on the disk of a worker. */
export type Room = {
  /**
   * Runs what fills a folder. Copies that nobody uses make room for it, and it is ended where that is
   * not enough.
   *
   * @param options.name the folder that it becomes; the same one by default
   * @throws {KernelError} `resource-exhausted`; what was written stays
   */
  fill<Value>(
    folder: string,
    work: (signal: AbortSignal) => Promise<Value>,
    options: { signal: AbortSignal; name?: string },
  ): Promise<Value>;
  remove(folder: string): void;
};

const watchMs = 500;

/** @param isInUse whether a job needs this copy */
export function openRoom(
  mirrors: string,
  maxBytes: number,
  isInUse: (mirror: string) => boolean,
): Room {
  const copies = readdirSync(mirrors).map((name) => join(mirrors, name));
  // folder -> bytes when it was last looked at: what nobody fills stays as it is
  const sizes = new Map(copies.map((path) => [path, bytesBelow(path)]));
  const remove = (folder: string): void => {
    rmSync(folder, { recursive: true, force: true });
    sizes.delete(folder);
  };
  /** Removes the copies that were used longest ago, until the others fit. */
  const fits = (): boolean => {
    let bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
    if (bytes <= maxBytes) return true;
    const usedMs = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const unused = [...sizes.keys()]
      .filter((path) => path.startsWith(mirrors) && !isInUse(path))
      .map((path) => ({ path, usedMs: usedMs(path) }))
      .sort((left, right) => left.usedMs - right.usedMs);
    for (const { path } of unused) {
      bytes -= sizes.get(path) ?? 0;
      remove(path);
      if (bytes <= maxBytes) return true;
    }
    return false;
  };
  return {
    fill: async (folder, work, { signal, name = folder }) => {
      const full = new AbortController();
      const look = (): void => {
        sizes.set(name, bytesBelow(folder));
        if (!fits()) full.abort();
      };
      let timer: NodeJS.Timeout | undefined;
      const watch = (delayMs: number): void => {
        timer = setTimeout(() => {
          const startedMs = performance.now();
          look();
          // Of a large tree it takes long, and other jobs wait meanwhile.
          watch(Math.max(watchMs, 4 * (performance.now() - startedMs)));
        }, delayMs);
      };
      watch(watchMs);
      try {
        const value = await work(AbortSignal.any([signal, full.signal]));
        look();
        if (!full.signal.aborted) return value;
      } catch (thrown) {
        if (!full.signal.aborted) throw thrown;
      } finally {
        clearTimeout(timer);
      }
      const message = `the repository does not fit into ${sizeText(maxBytes)} (fleet.cache-bytes)`;
      throw new KernelError('resource-exhausted', message, {
        hint: 'Give this worker more: cuervo config set fleet.cache-bytes BYTES, or fewer jobs at once: fleet.jobs',
      });
    },
    remove,
  };
}

/** What a name takes beside its blocks, in bytes: an inode and its entry. */
const nameBytes = 512;

/** On disk, with folders: many names of nothing fill one, too. What is removed meanwhile counts nothing. */
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
      // Folders take blocks as files do.
      const { size = 0, blocks = 0 } = lstatSync(inside, { throwIfNoEntry: false }) ?? {};
      bytes += nameBytes + Math.max(size, blocks * 512);
    }
  return bytes;
}
