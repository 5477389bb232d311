import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import { fsLimits } from '../paths/fs-limits.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { checkNumber } from './check-number.ts';
import type { TextFile } from './fs-types.ts';

const chunkBytes = 1024 * 1024;

/**
 * The start of a UTF-8 file, byte order mark and line ends as they are, and the hash of all
 * of it.
 *
 * @param maxBytes cut to 8 MiB; the text ends before the character that would pass it
 * @param shown the guest's path, quoted
 * @throws {HostFailure} `limit` above 50 MiB; `invalid` when what is returned is not UTF-8
 *   text or holds a NUL
 */
export function readText(fd: number, size: number, maxBytes: number, shown: string): TextFile {
  const wanted = checkNumber('max-bytes', maxBytes, 0, fsLimits.readTextBytes);
  if (size > fsLimits.fileBytes) throw tooLarge(shown, size);
  // Taken when first needed: loading it is a tenth of the start of a plugin process.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(chunkSize(size - total));
    const count = readSync(fd, chunk, 0, chunk.length, -1);
    if (count === 0) break;
    total += count;
    if (total > fsLimits.fileBytes) throw tooLarge(shown, total);
    hash.update(chunk.subarray(0, count));
    // One byte more than wanted tells whether the cut is in the middle of a character.
    const part = chunk.subarray(0, Math.min(count, wanted + 1 - keptBytes));
    if (part.length > 0) kept.push(part);
    keptBytes += part.length;
  }
  const bytes = Buffer.concat(kept);
  const truncated = total > wanted;
  const text = truncated ? bytes.subarray(0, characterStart(bytes, wanted)) : bytes;
  if (!isUtf8(text)) throw new HostFailure('invalid', `path ${shown} is not a UTF-8 text`);
  if (text.includes(0)) {
    throw new HostFailure('invalid', `path ${shown} is not a UTF-8 text: it holds a NUL`);
  }
  return { text: text.toString(), hash: hash.digest('hex'), truncated };
}

/** Small files are read in one piece, whose last byte stays empty. */
function chunkSize(left: number): number {
  return left > 0 ? Math.min(left + 1, chunkBytes) : 4096;
}

/** The largest offset up to `limit` that is not a continuation byte; at most three bytes back. */
function characterStart(bytes: Buffer, limit: number): number {
  let at = limit;
  while (at > 0 && at > limit - 4 && (bytes[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}

function tooLarge(shown: string, size: number): HostFailure {
  const text = `path ${shown} has ${size} bytes, limit ${fsLimits.fileBytes}`;
  return new HostFailure('limit', text);
}
