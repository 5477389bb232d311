import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAll } from '../lib/files/read-file.ts';

/** A pipe that says nothing for this long is one that a parent keeps, and no text. */
const patienceMs = 200;

/**
 * The text on standard input where nobody said that there is one: a regular file, or what a pipe or
 * socket begins with in time, to its end. Terminals and devices are not read.
 *
 * @param tooLong makes what is thrown when there is more than `maxBytes`
 * @returns `silent` where an open pipe says nothing
 */
export async function readPiped(
  maxBytes: number,
  tooLong: () => Error,
): Promise<{ text: string } | 'none' | 'silent'> {
  const kind = kindOfInput();
  if (kind === 'none') return 'none';
  const { stdin } = process;
  if (kind === 'pipe' && !(await begins(stdin))) {
    // It would keep the process.
    stdin.destroy();
    return 'silent';
  }
  const text = (await readAll(stdin, maxBytes, tooLong)).toString();
  return text.trim() === '' ? 'none' : { text };
}

/** @returns true also at its end */
async function begins(stdin: NodeJS.ReadStream): Promise<boolean> {
  try {
    await once(stdin, 'readable', { signal: AbortSignal.timeout(patienceMs) });
    return true;
  } catch {
    // The time may be over before a busy process has looked.
    await nextTurn();
    return stdin.readableLength > 0 || stdin.readableEnded;
  }
}

function kindOfInput(): 'file' | 'pipe' | 'none' {
  try {
    const input = fstatSync(0);
    if (input.isFile()) return 'file';
    return input.isFIFO() || input.isSocket() ? 'pipe' : 'none';
  } catch {
    // It is closed.
    return 'none';
  }
}
