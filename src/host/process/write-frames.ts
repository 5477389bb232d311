import { isUtf8 } from 'node:buffer';
import { writeSync } from 'node:fs';
import {
  frameOf,
  fromProcess,
  maxBytesOfUnit,
  readText,
  textsStart,
  withNumbers,
  writeFrame,
  writeText,
} from '../../protocol/frame.ts';

/** Most frames and outputs fit, and then nothing is allocated for them. */
const bufferBytes = 64 * 1024;

/** Blocking writes of frames. */
export type FrameWriter = {
  /** @throws {RangeError} for what is larger than a frame may be */
  send(kind: number, message: unknown): void;
  /** @param end of the frame in these bytes */
  write(frame: Buffer, end: number): void;
};

export function createFrameWriter(descriptor: number): FrameWriter {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  const write = (frame: Buffer, end: number): void => {
    let sent = 0;
    while (sent < end) sent += writeSync(descriptor, frame, sent, end - sent);
  };
  return {
    send: (kind, message) => {
      const json = JSON.stringify(message);
      const end = writeFrame(buffer, kind, json);
      if (end !== undefined) return write(buffer, end);
      const frame = frameOf(kind, json);
      write(frame, frame.byteLength);
    },
    write,
  };
}

/**
 * The output of a call on its way into a frame: content and summary are copied as the guest wrote
 * them, and decoded by the kernel alone.
 */
export type OutputFrame = {
  /** Forgets what was taken. */
  begin(): void;
  /** Takes the content, then the summary, as UTF-8. Bytes above the limit are only counted. */
  take(text: Uint8Array): void;
  /** The bytes of the texts as the kernel will decode them; above the limit, the bytes as taken. */
  bytes(): number;
  /**
   * @param calls JSON of the host calls; nothing for none
   * @returns the frame, which is good until the next one begins, and where it ends in these bytes
   * @throws {RangeError} when it is larger than a frame may be
   */
  finish(id: number, calls: string): { frame: Buffer; end: number };
};

/** @param maxBytes of content and summary together */
export function createOutputFrame(maxBytes: number): OutputFrame {
  const own = Buffer.allocUnsafeSlow(bufferBytes);
  let frame = own;
  let end = textsStart;
  let texts = 0;
  let first = 0;
  let total = 0;

  const makeRoom = (bytes: number): void => {
    if (end + bytes <= frame.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(end + bytes);
    larger.set(frame.subarray(0, end));
    frame = larger;
  };
  const textBytes = (from: number, to: number): number =>
    isUtf8(frame.subarray(from, to)) ? to - from : Buffer.byteLength(readText(frame, from, to));

  return {
    begin: () => {
      frame = own;
      end = textsStart;
      texts = 0;
      total = 0;
    },
    take: (text) => {
      const bytes = text.length;
      texts += 1;
      if (texts === 1) first = bytes;
      total += bytes;
      if (total > maxBytes) return;
      makeRoom(bytes);
      frame.set(text, end);
      end += bytes;
    },
    bytes: () => {
      // Count exactly only near the limit: a byte that is not UTF-8 becomes U+FFFD, which takes
      // three.
      if (total > maxBytes || total * maxBytesOfUnit <= maxBytes) return total;
      const second = textsStart + first;
      return textBytes(textsStart, second) + textBytes(second, end);
    },
    finish: (id, calls) => {
      let stop = end;
      if (calls !== '') {
        makeRoom(Buffer.byteLength(calls));
        stop += writeText(frame, end, calls);
      }
      const numbers = { id, first, second: total - first };
      return { frame: withNumbers(frame, fromProcess.output, numbers, stop), end: stop };
    },
  };
}
