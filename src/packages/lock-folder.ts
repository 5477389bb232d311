import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { KernelError } from '../contracts/error.ts';
import { holderPid, isHolderGone, processHolder } from '../lib/process-holder.ts';

/**
 * Takes a lock that names this process, until it is disposed. One that a killed process left is
 * taken over.
 *
 * @throws {KernelError} `unavailable` while another process holds it
 */
export function lockFolder(path: string, what: string): Disposable {
  for (let tries = 0; ; tries += 1) {
    try {
      writeFileSync(path, processHolder(), { flag: 'wx', mode: 0o600 });
      return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
    const holder = readHolder(path);
    // One that is just being written is empty.
    const isLeft = holder !== undefined && holder !== '' && isHolderGone(holder);
    if (!isLeft || tries > 2) {
      const message = `another process (${holderPid(holder ?? '') || 'just started'}) is at ${what}`;
      throw new KernelError('unavailable', message, {
        hint: `Wait for it to end; if none runs, remove ${path}.`,
      });
    }
    rmSync(path, { force: true });
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
