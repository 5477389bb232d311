import type { ChildProcess } from 'node:child_process';

/** Ends a child that leads a group, and all in it: also what a sandbox has not yet tied to its end. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  } catch {
    // On Windows there are no groups; elsewhere it has just ended.
    child.kill('SIGKILL');
  }
}
