import { lstatSync, rmSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';
import { tryLock } from '../sqlite/try-lock.ts';
import { shellWord } from '../text/escape.ts';

const pollMs = 50;
const changePatienceMs = 10_000;

/**
 * Runs `work`, which changes the file at `path`, while no other process changes it.
 *
 * @throws {KernelError} `unavailable` when another process holds its lock for 10 s
 */
export function changeAlone<Value>(path: string, work: () => Value): Value {
  using _ = lockFile(`${path}.busy`, {
    what: `changing ${path}`,
    patienceMs: changePatienceMs,
  });
  return work();
}

/**
 * A lock between processes on a file of its own, which goes when the lock is disposed.
 *
 * @param options.what what the other process does, for the message
 * @param options.patienceMs how long another process is waited for; default 0
 * @throws {KernelError} `unavailable` while another process holds it
 */
export function lockFile(
  path: string,
  { what, patienceMs = 0 }: { what: string; patienceMs?: number },
): Disposable {
  const untilMs = Date.now() + patienceMs;
  for (;;) {
    requireOwn(path);
    const held = tryLock(path);
    if (held !== undefined) return removedWith(path, held);
    if (Date.now() >= untilMs) {
      throw new KernelError('unavailable', `another process is at ${what}`, {
        hint: 'Wait for it to end, and try again.',
      });
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

function removedWith(path: string, held: Disposable): Disposable {
  return {
    [Symbol.dispose]: () => {
      // Before it lets go: the next holder has a file of its own.
      rmSync(path, { force: true });
      held[Symbol.dispose]();
    },
  };
}

/**
 * SQLite would follow a link, and would read a database and the journal of one that somebody else
 * put there. A lock of ours holds nothing.
 */
function requireOwn(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return;
  throw new KernelError(
    'unavailable',
    `${path} is not an empty file, so it is not a lock of ours`,
    {
      hint: `Remove it: rm ${shellWord(path)}`,
    },
  );
}
