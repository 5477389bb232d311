import { readSync } from 'node:fs';
import { type Frame, maxFrameBytes } from '../protocol/frame.ts';

/**
 * Blocking reads of frames: while the process waits here its guest cannot run, and
 * while the guest runs nothing is read, so host calls are plain function calls.
 *
 * @returns the next frame, or undefined when the kernel closed the pipe
 */
export function readFrame(descriptor: number): Frame | undefined {
  const header = readExactly(descriptor, 5);
  if (header === undefined) return undefined;
  const length = header.readUInt32LE(0) - 1;
  if (length < 0 || length > maxFrameBytes)
    throw new RangeError(`a frame announces ${length} bytes`);
  const payload = length === 0 ? Buffer.alloc(0) : readExactly(descriptor, length);
  if (payload === undefined) return undefined;
  return { kind: header[4] as number, payload };
}

function readExactly(descriptor: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(descriptor, bytes, filled, length - filled, null);
    if (got === 0) return undefined;
    filled += got;
  }
  return bytes;
}
