import { anonymousBytes } from './anonymous-bytes.ts';
import { processTree } from './process-tree.ts';

/** How often it is looked at while it works: an engine takes some hundred megabytes a second at most. */
const shortestMs = 50;
/** How seldom one is looked at in the end that waits for a call and takes no more. */
const longestMs = 400;
/** A sandbox starts two or three. */
const maxProcesses = 100;

/** The caller owns it. */
export type MemoryWatch = Disposable & {
  /** Says that there is work for it from now on. */
  hurry(): void;
};

/**
 * Watches from outside what a process takes, and what it started with it. A maximum of linear
 * memory and one of the heap do not hold for what an engine needs for itself: one function of half
 * a megabyte has it take gigabytes to be compiled, and a single array may be larger than the heap.
 *
 * Sees nothing on a system without /proc.
 *
 * @param maxBytes resident and not shared with a file, the sum of all of them
 * @param isIdle that nothing is asked of it: what then takes as much as before is looked at less
 *   and less often
 * @param onExcess told once
 */
export function watchMemory(
  pid: number,
  maxBytes: number,
  isIdle: () => boolean,
  onExcess: () => void,
): MemoryWatch {
  if (process.platform !== 'linux') return { hurry: () => {}, [Symbol.dispose]: () => {} };
  let timer: NodeJS.Timeout | undefined;
  let waitMs = shortestMs;
  let lastBytes = 0;
  const wait = (): void => {
    timer = setTimeout(look, waitMs);
    timer.unref();
  };
  const look = (): void => {
    const bytes = treeBytes(pid);
    if (bytes > maxBytes) {
      timer = undefined;
      onExcess();
      return;
    }
    const isQuiet = isIdle() && bytes === lastBytes;
    waitMs = isQuiet ? Math.min(2 * waitMs, longestMs) : shortestMs;
    lastBytes = bytes;
    wait();
  };
  wait();
  return {
    hurry: () => {
      if (waitMs <= 2 * shortestMs || timer === undefined) return;
      clearTimeout(timer);
      waitMs = shortestMs;
      wait();
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function treeBytes(pid: number): number {
  const processes = processTree(pid, maxProcesses).slice(0, maxProcesses);
  return processes.reduce((sum, each) => sum + anonymousBytes(`/proc/${each}/statm`), 0);
}
