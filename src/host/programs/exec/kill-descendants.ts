import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A tree deeper or wider than this is ended in part; a sandbox has no such bound. */
const maxProcesses = 10_000;

/**
 * Kills all processes that a process started, whatever their group. A process whose parent has
 * ended is no descendant and escapes: only a namespace holds a whole tree.
 */
export function killDescendants({ pid }: ChildProcess): void {
  signalDescendants(pid, 'SIGKILL');
}

/** The process itself gets none. */
export function signalDescendants(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  for (const descendant of processTree(pid, maxProcesses).slice(1)) {
    try {
      process.kill(descendant, signal);
    } catch {
      // It ended by itself.
    }
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
