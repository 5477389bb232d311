import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

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
