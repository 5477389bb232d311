import { maxReplyBytes, maxReplyJsonBytes } from './protocol.ts';

const headBytes = 8;

/** The parts of a frame as they are written, one after the other. */
export function encodeFrame(message: object, bytes: Uint8Array): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return [head, json, bytes];
}

/**
 * Takes a stream apart into frames as they complete.
 *
 * @returns a function that takes the next piece
 * @throws {RangeError} for a frame above the limits, before it is collected
 */
export function readFrames(
  onFrame: (json: string, bytes: Uint8Array) => void,
): (piece: Buffer) => void {
  let parts: Buffer[] = [];
  let have = 0;
  return (piece) => {
    parts.push(piece);
    have += piece.length;
    for (;;) {
      if (have < headBytes) return;
      let all = parts[0] as Buffer;
      if (all.length < headBytes) {
        all = Buffer.concat(parts);
        parts = [all];
      }
      const jsonBytes = all.readUInt32LE(0);
      const restBytes = all.readUInt32LE(4);
      if (jsonBytes > maxReplyJsonBytes || restBytes > maxReplyBytes) {
        throw new RangeError(`a frame of ${jsonBytes} and ${restBytes} bytes is too large`);
      }
      const end = headBytes + jsonBytes + restBytes;
      if (have < end) return;
      all = parts.length === 1 ? all : Buffer.concat(parts);
      const json = all.toString('utf8', headBytes, headBytes + jsonBytes);
      // a copy that starts where numbers of four bytes may
      const bytes = new Uint8Array(all.subarray(headBytes + jsonBytes, end));
      parts = end === all.length ? [] : [all.subarray(end)];
      have -= end;
      onFrame(json, bytes);
    }
  };
}
