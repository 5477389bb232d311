import { writeSync } from 'node:fs';
import { frameOf, payloadOf, writeFrame } from '../protocol/frame.ts';

/** Most frames fit, and then nothing is allocated for them. */
const bufferBytes = 64 * 1024;

/**
 * Blocking writes of frames.
 *
 * @returns a function that writes one; it throws RangeError for what is larger than a frame may be
 */
export function createFrameWriter(
  descriptor: number,
): (kind: number, message: unknown, text?: string) => void {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  return (kind, message, text) => {
    const payload = payloadOf(message, text);
    const bytes = writeFrame(buffer, kind, payload);
    const frame = bytes === undefined ? frameOf(kind, payload) : buffer;
    const end = bytes ?? frame.byteLength;
    let sent = 0;
    while (sent < end) sent += writeSync(descriptor, frame, sent, end - sent);
  };
}
