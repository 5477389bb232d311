import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A tree deeper or wider than this is ended in part; a sandbox has no such bound. */
const maxProcesses = 10_000;

/**
 * Kills what a process started, whatever group it is in. One whose parent has ended already is
 * nobody's descendant and gets away: only a namespace of its own holds a whole tree.
 */
export function killDescendants({ pid }: ChildProcess): void {
  signalDescendants(pid, 'SIGKILL');
}

/** The process itself gets none. */
export function signalDescendants(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  const pending = pid === undefined ? [] : [pid];
  for (let index = 0; index < pending.length && index < maxProcesses; index += 1) {
    pending.push(...childrenOf(pending[index] as number));
  }
  for (const descendant of pending.slice(1)) {
    try {
      process.kill(descendant, signal);
    } catch {
      // It ended by itself.
    }
  }
}

export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
