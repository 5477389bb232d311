import { createHash, type Hash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  createReadStream,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { KernelError } from '../../contracts/error.ts';

/** Whether something is a link, also one to nothing; false where nothing is. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // nothing is there
  }
}

/** Whether this user may run the file; false for what is missing. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * All bytes of a stream, waited for however long they take, and read no further than it takes to
 * know that they are too many.
 *
 * @param maxBytes the most that is kept
 * @param tooLong makes what is thrown when there is more
 */
export async function readAll(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

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

/** The system's errors on a path, as the end of a sentence. */
const words: Readonly<Record<string, string>> = {
  ELOOP: 'leads back to itself through links',
  ENAMETOOLONG: 'has a name that is longer than the system takes',
  EACCES: 'cannot be read by you',
  EPERM: 'cannot be read by you',
};

/**
 * Looks at a path that a person typed: what the system refuses there is about what was typed, and
 * not about where cuervo keeps its files.
 *
 * @throws {KernelError} `invalid-argument` for a path that cannot be followed or may not be read;
 *   other errors pass
 */
export function withTypedPath<Value>(path: string, look: (path: string) => Value): Value {
  try {
    return look(path);
  } catch (thrown) {
    const what = words[(thrown as NodeJS.ErrnoException).code ?? ''];
    if (what === undefined) throw thrown;
    throw new KernelError('invalid-argument', `${path} ${what}`, {
      cause: thrown,
      hint: 'Name another path, or correct it.',
    });
  }
}

/**
 * The hash of a file, read piece by piece, to be digested or gone on with.
 *
 * @param bytes of its beginning; all of it when absent
 */
export async function hashFile(
  path: string,
  algorithm: 'sha256' | 'sha512',
  bytes?: number,
): Promise<Hash> {
  const hash = createHash(algorithm);
  if (bytes === 0) return hash;
  const end = bytes === undefined ? Number.POSITIVE_INFINITY : bytes - 1;
  for await (const piece of createReadStream(path, { end })) hash.update(piece as Buffer);
  return hash;
}

const endBytes = 64 * 1024;

/** Adds both ends of a file to a hash. They tell two models apart without reading gigabytes. */
export function addEnds(hash: Hash, path: string, size: number): void {
  const fd = openSync(path, 'r');
  try {
    const end = Buffer.alloc(Math.min(endBytes, size));
    for (const from of [0, size - end.length]) {
      readSync(fd, end, 0, end.length, from);
      hash.update(end);
    }
  } finally {
    closeSync(fd);
  }
}
