import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { KernelError } from '../contracts/error.ts';

const maxBytes = 64 * 1024;

/**
 * `cuervo.toml` of a workspace. The file came with the workspace, so a link, a pipe or an endless
 * file is refused and not read.
 *
 * @returns undefined where there is none
 * @throws {KernelError} `invalid-argument`
 */
export function readProjectFile(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw refused(path, code === 'ELOOP' ? 'is a link' : `cannot be read: ${code}`);
  }
  try {
    if (!fstatSync(fd).isFile()) throw refused(path, 'is not a regular file');
    const buffer = Buffer.alloc(maxBytes + 1);
    const length = readSync(fd, buffer);
    if (length > maxBytes) throw refused(path, `is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(fd);
  }
}

function refused(path: string, why: string): KernelError {
  return new KernelError('invalid-argument', `${path} ${why}`, {
    hint: 'Remove it, or work on another folder with --workspace DIR.',
  });
}
