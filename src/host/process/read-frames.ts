import { readSync } from 'node:fs';
import { type Frame, maxFrameBytes } from '../../protocol/frame.ts';
import { readNumber } from '../../protocol/frame-bytes.ts';

/** `own`: the bytes are the caller's; else they are only good until the next frame is read. */
export type ReadFrame = Frame & { own: boolean };

const headerBytes = 5;
/** Most frames fit, and then one read brings all of it. */
const bufferBytes = 64 * 1024;

/**
 * Blocking reads of frames: while the process waits here its guest cannot run, and
 * while the guest runs nothing is read, so host calls are plain function calls.
 *
 * @returns a function that gives the next frame, or undefined when the kernel closed the
 *   pipe
 */
export function createFrameReader(descriptor: number): () => ReadFrame | undefined {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let start = 0;
  let end = 0;

  /** Reads until `count` bytes are there; false at the end of the pipe. */
  const fill = (count: number): boolean => {
    if (start + count > buffer.length) {
      buffer.copyWithin(0, start, end);
      end -= start;
      start = 0;
    }
    while (end - start < count) {
      const got = readSync(descriptor, buffer, end, buffer.length - end, null);
      if (got === 0) return false;
      end += got;
    }
    return true;
  };

  /** A payload that the buffer cannot hold. */
  const readLarge = (length: number): Buffer | undefined => {
    const payload = Buffer.allocUnsafeSlow(length);
    let filled = buffer.copy(payload, 0, start, end);
    start = 0;
    end = 0;
    while (filled < length) {
      const got = readSync(descriptor, payload, filled, length - filled, null);
      if (got === 0) return undefined;
      filled += got;
    }
    return payload;
  };

  return () => {
    if (start === end) {
      start = 0;
      end = 0;
    }
    if (!fill(headerBytes)) return undefined;
    const length = readNumber(buffer, start) - 1;
    const kind = buffer[start + 4] as number;
    if (length < 0 || length > maxFrameBytes) {
      throw new RangeError(`a frame announces ${length} bytes`);
    }
    start += headerBytes;
    if (length > buffer.length) {
      const payload = readLarge(length);
      return payload && { kind, bytes: payload, start: 0, end: length, own: true };
    }
    if (!fill(length)) return undefined;
    const from = start;
    start += length;
    return { kind, bytes: buffer, start: from, end: start, own: false };
  };
}
