import { writeSync } from 'node:fs';
import { encodeTexts, frameOf, type Texts, writeFrame, writeTexts } from '../protocol/frame.ts';

/** Most frames fit, and then nothing is allocated for them. */
const bufferBytes = 64 * 1024;

/** Writes a frame and blocks until all of it is written; a RangeError for one that is too large. */
export type FrameWriter = {
  send(kind: number, message: unknown): void;
  sendTexts(kind: number, texts: Texts): void;
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
    sendTexts: (kind, texts) => {
      const end = writeTexts(buffer, kind, texts);
      if (end !== undefined) return write(buffer, end);
      const frame = encodeTexts(kind, texts);
      write(frame, frame.byteLength);
    },
  };
}
