import { readFileSync, statSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';
import { isLink } from './is-link.ts';

/** Files that people, or cuervo, write have kilobytes. */
const usualMaxBytes = 64 * 1024 * 1024;

/**
 * The file's text, or undefined when there is no such file; other errors of the system pass. A link
 * to a missing file is an error: somebody put it there to have a file read.
 *
 * @throws {KernelError} `invalid-argument` for a pipe, a device or a folder, which is not opened
 *   (reading a pipe without a writer would wait for ever), and for a file above the limit
 */
export function readTextIfPresent(path: string, maxBytes = usualMaxBytes): string | undefined {
  try {
    const found = statSync(path);
    if (found.isFile())
      return found.size > maxBytes
        ? tooLarge(path, found.size, maxBytes)
        : readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof KernelError) throw thrown;
    const { code } = thrown as NodeJS.ErrnoException;
    // There is no file below a path that is not a folder.
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent && !isLink(path)) return undefined;
    const message = `${path} is a link to a missing file`;
    if (isAbsent) throw Object.assign(thrown as Error, { path, message });
    throw Object.assign(thrown as Error, { path });
  }
  throw new KernelError('invalid-argument', `${path} is not a regular file`, {
    hint: 'Put a file in its place, or remove it.',
  });
}

function tooLarge(path: string, size: number, maxBytes: number): never {
  throw new KernelError('invalid-argument', `${path} has ${size} bytes, limit ${maxBytes}`, {
    hint: 'Put a smaller file in its place, or remove it.',
  });
}
