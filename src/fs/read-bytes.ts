import { readSync } from 'node:fs';
import { fsLimits } from '../paths/fs-limits.ts';
import { checkNumber } from './check-number.ts';

/**
 * A part of a file; shorter than asked at its end, empty behind it.
 *
 * @param size of the file, bytes: what is allocated follows it, not the guest's number
 * @param length cut to 4 MiB
 */
export function readBytes(fd: number, size: number, offset: number, length: number): Uint8Array {
  const start = checkNumber('offset', offset, 0, Number.MAX_SAFE_INTEGER);
  const wanted = checkNumber('length', length, 0, fsLimits.readBytesLength);
  const bytes = new Uint8Array(Math.max(0, Math.min(wanted, size - start)));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
