import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
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
