import type { ChildProcess } from 'node:child_process';
import { processTree } from '../../lib/process/watch-memory.ts';

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
