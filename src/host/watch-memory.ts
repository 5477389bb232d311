import { processTree } from './exec/kill-descendants.ts';
import { anonymousBytes } from './exec/watch-tree.ts';

/** How often it is looked at: an engine takes some hundred megabytes a second at most. */
const periodMs = 50;
/** A sandbox starts two or three. */
const maxProcesses = 100;

/**
 * Watches from outside what a process takes, and what it started with it. A maximum of linear
 * memory and one of the heap do not hold for what an engine needs for itself: one function of half
 * a megabyte has it take gigabytes to be compiled, and a single array may be larger than the heap.
 *
 * Where the system has no /proc nothing is seen.
 *
 * @param maxBytes resident and not shared with a file, the sum of all of them
 * @param onExcess told once
 * @returns ends the watch
 */
export function watchMemory(pid: number, maxBytes: number, onExcess: () => void): () => void {
  const timer = setInterval(() => {
    if (treeBytes(pid) <= maxBytes) return;
    clearInterval(timer);
    onExcess();
  }, periodMs);
  timer.unref();
  return () => clearInterval(timer);
}

function treeBytes(pid: number): number {
  const processes = processTree(pid, maxProcesses).slice(0, maxProcesses);
  return processes.reduce((sum, each) => sum + anonymousBytes(`/proc/${each}/statm`), 0);
}
