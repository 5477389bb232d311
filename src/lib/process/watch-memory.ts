import { readFileSync } from 'node:fs';

/** Between two looks at a working process: an engine takes at most some hundred MB a second. */
const shortestMs = 50;
/** Between two looks at a process that waits for a call and does not grow. */
const longestMs = 400;
/** A sandbox starts two or three. */
const maxProcesses = 100;

/** The caller owns it. */
export type MemoryWatch = Disposable & {
  /** Tells that the process works from now on: look often again. */
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

const pageBytes = 4096;

/** Resident and not shared with a file; 0 for a process that is gone. @param path of its `statm` */
function anonymousBytes(path: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(path, 'utf8').split(' ').map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}

/**
 * A process and what it started, itself first.
 *
 * @param most processes whose own children are looked for
 */
export function processTree(pid: number, most: number): number[] {
  const found = [pid];
  for (let index = 0; index < found.length && index < most; index += 1) {
    for (const child of childrenOf(found[index] as number)) found.push(child);
  }
  return found;
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
