import { maxBytesOfUnit } from './bytes-above.ts';

/**
 * Frames between the kernel and a plugin process: a 4-byte little-endian length of
 * what follows, one byte that names the kind, then JSON as UTF-8. Behind the JSON of a call and of
 * its result a line feed and a text may stand, which is then not written as JSON a second time.
 */
const headerBytes = 4;
/** Where the length and the kind are written. */
const headerRoom = '\0'.repeat(headerBytes + 1);
/** Ends the JSON where a text follows: within JSON on one line there is none. */
const lineFeed = '\n';

/** Bytes that one frame may hold: a result up to its highest limit (6 MiB), and its host calls. */
export const maxFrameBytes = 8 * 1024 * 1024;

/** Kinds the kernel sends; the payload of a `part` is no JSON but bytes of a file. */
export const toProcess = {
  open: 1,
  call: 2,
  reply: 3,
  part: 4,
  file: 5,
  assist: 6,
  rehearse: 7,
} as const;
/** Kinds a plugin process sends. */
export const fromProcess = {
  ready: 65,
  result: 66,
  log: 67,
  progress: 68,
  failed: 69,
  request: 70,
  assisted: 71,
} as const;

/** Bytes of a file in one frame. */
const maxPartBytes = 4 * 1024 * 1024;

export type Frame = { kind: number; payload: Buffer };

/**
 * @param text what follows the JSON
 * @throws {RangeError} when the message is larger than a frame may be
 */
export function encodeFrame(kind: number, message: unknown, text?: string): Buffer {
  return frameOf(kind, payloadOf(message, text));
}

/** What stands in a frame behind its kind. */
export function payloadOf(message: unknown, text?: string): string {
  const json = JSON.stringify(message);
  return text === undefined ? json : `${json}\n${text}`;
}

/** @throws {RangeError} when the payload is larger than a frame may hold */
export function frameOf(kind: number, payload: string): Buffer {
  const frame = Buffer.from(`${headerRoom}${payload}`);
  const length = frame.byteLength - headerBytes - 1;
  if (length > maxFrameBytes) {
    throw new RangeError(`a frame of ${length} bytes, limit ${maxFrameBytes}`);
  }
  return withHeader(frame, kind, frame.byteLength);
}

/**
 * As `frameOf`, to the start of a buffer that is smaller than a frame may be.
 *
 * @returns bytes of the frame; undefined where it may not fit, and then nothing was written
 */
export function writeFrame(buffer: Buffer, kind: number, payload: string): number | undefined {
  const start = headerBytes + 1;
  if (payload.length * maxBytesOfUnit > buffer.length - start) return undefined;
  const end = start + buffer.write(payload, start);
  withHeader(buffer, kind, end);
  return end;
}

/** @param bytes of the whole frame */
function withHeader(frame: Buffer, kind: number, bytes: number): Buffer {
  frame.writeUInt32LE(bytes - headerBytes, 0);
  frame[headerBytes] = kind;
  return frame;
}

/**
 * The JSON of a payload, and the text behind it where there is one.
 *
 * @throws {SyntaxError} when it is no JSON
 */
export function decodePayload(payload: Buffer): { message: unknown; text?: string } {
  // As a whole: to decode both parts by themselves takes twice as long.
  const all = payload.toString('utf8');
  const end = all.indexOf(lineFeed);
  if (end < 0) return { message: JSON.parse(all) };
  return { message: JSON.parse(all.slice(0, end)), text: all.slice(end + 1) };
}

/**
 * The frames that carry a file, its bytes not copied.
 *
 * @param message see `FileMessage`
 */
export function* encodeFile(bytes: Buffer, message: unknown): Generator<Buffer, void, undefined> {
  yield* encodeParts(bytes);
  yield encodeFrame(toProcess.file, message);
}

/** The frames that carry bytes, which are not copied; what they are is told by the frame behind. */
export function* encodeParts(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let start = 0; start < bytes.byteLength; start += maxPartBytes) {
    const part = bytes.subarray(start, start + maxPartBytes);
    const header = Buffer.allocUnsafe(headerBytes + 1);
    header.writeUInt32LE(part.byteLength + 1, 0);
    header[headerBytes] = toProcess.part;
    yield header;
    yield part;
  }
}

/**
 * Cuts a stream of bytes into frames. The sender may be hostile: a length that is
 * empty or above the limit throws before anything is allocated for it.
 *
 * @returns a function that takes the next bytes and returns the frames they complete
 */
export function createFrameDecoder(limit: number = maxFrameBytes): (chunk: Buffer) => Frame[] {
  let pending: Buffer[] = [];
  let size = 0;

  return (chunk) => {
    pending.push(chunk);
    size += chunk.byteLength;
    // The length must lie in one piece: joined once, not at every chunk that follows.
    if ((pending[0] as Buffer).byteLength < headerBytes && pending.length > 1)
      pending = [Buffer.concat(pending, size)];
    const frames: Frame[] = [];
    let need = neededBytes(pending[0] as Buffer, limit);
    // Joining only once a whole frame is there keeps a frame in many pieces linear.
    while (need !== undefined && size >= need) {
      const bytes = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending, size);
      frames.push({
        kind: bytes[headerBytes] as number,
        payload: bytes.subarray(headerBytes + 1, need),
      });
      size = bytes.byteLength - need;
      pending = size > 0 ? [bytes.subarray(need)] : [];
      need = size > 0 ? neededBytes(pending[0] as Buffer, limit) : undefined;
    }
    return frames;
  };
}

/** Bytes from the start of the pending ones to the end of the first frame, once its length is known. */
function neededBytes(first: Buffer, limit: number): number | undefined {
  if (first.byteLength < headerBytes) return undefined;
  const length = first.readUInt32LE(0);
  if (length < 1 || length > limit + 1) {
    throw new RangeError(`a frame announces ${length} bytes, limit ${limit}`);
  }
  return headerBytes + length;
}
