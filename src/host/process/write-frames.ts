import { writeSync } from 'node:fs';
import { frameOf, writeFrame } from '../../protocol/frame.ts';

/** Most frames fit, and then nothing is allocated for them. */
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
