import { readFileSync, statSync } from 'node:fs';
import { KernelError } from '../contracts/error.ts';
import { isLink } from './is-link.ts';

/**
 * The file's text, or undefined when there is no such file; other errors of the system pass. A link
 * to nothing is one, too: somebody put it there to have a file read.
 *
 * @throws {KernelError} `invalid-argument` for a pipe, a device or a folder, which is not opened: a
 *   pipe that nobody writes to would be waited for without an end
 */
export function readTextIfPresent(path: string): string | undefined {
  try {
    if (statSync(path).isFile()) return readFileSync(path, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // Below something that is no folder there is no file either.
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent && !isLink(path)) return undefined;
    const message = `${path} is a link to what is not there`;
    if (isAbsent) throw Object.assign(thrown as Error, { path, message });
    throw Object.assign(thrown as Error, { path });
  }
  throw new KernelError('invalid-argument', `${path} is no regular file`, {
    hint: 'Put a file in its place, or remove it.',
  });
}
