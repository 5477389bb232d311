import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Duplex } from 'node:stream';

/**
 * `spawn` whose child always has its pipes. On a system without free descriptors Node returns a
 * child without pipes and reports it by `error` soon after; this gives it pipes that take
 * everything and return nothing.
 */
export function spawnChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { stdio: readonly unknown[] },
): ChildProcess {
  const child = spawn(program, args, options);
  if ((child.stdio as unknown) !== undefined) return child;
  const stdio = options.stdio.map((what) => (what === 'pipe' ? emptyPipe() : null));
  const [stdin = null, stdout = null, stderr = null] = stdio;
  return Object.assign(child, { stdio, stdin, stdout, stderr }) as ChildProcess;
}

function emptyPipe(): Duplex {
  return new Duplex({
    read() {
      this.push(null);
    },
    write: (_chunk, _encoding, done) => done(),
  });
}

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

/** The signal behind an exit code: shells and sandboxes return 128 plus its number. */
export function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}
