import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';
import { withPath } from '../../lib/files/with-path.ts';

const waitMs = 50;
const patienceMs = 10_000;

/**
 * Runs `work` while no other process does; the holder's pid stands in the file, so that a
 * file left by a process that was killed is not waited for.
 *
 * @throws {KernelError} `unavailable` when another process holds it for 10 s
 */
export function withLockFile<Value>(path: string, work: () => Value): Value {
  const until = Date.now() + patienceMs;
  while (!tryLock(path)) {
    if (Date.now() > until) {
      throw new KernelError('unavailable', `another process holds ${path}`, {
        hint: `Wait for it to end; if none runs, remove ${path}.`,
      });
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    writeLock(path, openSync(path, 'wx', 0o600));
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    removeWhenHolderIsGone(path);
    return false;
  }
}

/** An empty lock, as a full disk leaves, would be waited for. */
function writeLock(path: string, descriptor: number): void {
  try {
    withPath(path, () => writeSync(descriptor, String(process.pid)));
  } catch (thrown) {
    rmSync(path, { force: true });
    throw thrown;
  } finally {
    closeSync(descriptor);
  }
}

function removeWhenHolderIsGone(path: string): void {
  const holder = readHolder(path);
  // An empty file is one that its holder is just writing.
  if (!(Number(holder) > 0)) return;
  try {
    process.kill(Number(holder), 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') return;
    // Another that waits may have seen the same and hold the lock by now.
    if (readHolder(path) === holder) rmSync(path, { force: true });
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Gone: the next try tells.
    return undefined;
  }
}
