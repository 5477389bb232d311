import { maxBytesOfUnit } from './bytes-above.ts';
import { readNumber, readText, writeNumber, writeText } from './frame-bytes.ts';

/**
 * Frames between the kernel and a plugin process: a 4-byte little-endian length of
 * what follows, one byte that names the kind, then JSON as UTF-8. A call and its output are not
 * JSON but texts: three 4-byte numbers, which are the call's id and how many UTF-16 units the first
 * and the second text have, then the three texts one behind the other as UTF-8.
 */
const headerBytes = 4;
/** Where the length and the kind are written. */
const headerRoom = '\0'.repeat(headerBytes + 1);
/** Bytes of the three numbers. */
const numbersBytes = 12;
const textsRoom = `${headerRoom}${'\0'.repeat(numbersBytes)}`;

/** Bytes that one frame may hold: a result up to its highest limit (6 MiB), and its host calls. */
export const maxFrameBytes = 8 * 1024 * 1024;

/**
 * Kinds the kernel sends; the payload of a `part` is no JSON but bytes of a file, that of a `call`
 * texts.
 */
export const toProcess = {
  open: 1,
  call: 2,
  reply: 3,
  part: 4,
  file: 5,
  assist: 6,
  rehearse: 7,
} as const;
/** Kinds a plugin process sends; the payload of an `output` is texts. */
export const fromProcess = {
  ready: 65,
  result: 66,
  log: 67,
  progress: 68,
  failed: 69,
  request: 70,
  assisted: 71,
  output: 72,
} as const;

/** Bytes of a file in one frame. */
const maxPartBytes = 4 * 1024 * 1024;

/** Where its payload lies: what is read in one piece is not copied. */
export type Frame = { kind: number; bytes: Buffer; start: number; end: number };

/** No copy: it is good for as long as the bytes of the frame are. */
export function payloadOf({ bytes, start, end }: Frame): Buffer {
  return bytes.subarray(start, end);
}

/** Of a frame that holds JSON. */
export function jsonOf({ bytes, start, end }: Frame): string {
  return readText(bytes, start, end);
}

/** What a frame of texts holds. */
export type Texts = {
  /** of the call, from 0 to 2³² - 1 */
  id: number;
  first: string;
  second: string;
  rest: string;
};

/** @throws {RangeError} when the message is larger than a frame may be */
export function encodeFrame(kind: number, message: unknown): Buffer {
  return frameOf(kind, JSON.stringify(message));
}

/** @throws {RangeError} when the texts are larger than a frame may be */
export function encodeTexts(kind: number, texts: Texts): Buffer {
  const frame = checked(Buffer.from(`${textsRoom}${texts.first}${texts.second}${texts.rest}`));
  writeNumbers(frame, texts);
  return withHeader(frame, kind, frame.byteLength);
}

/** @throws {RangeError} when the JSON is larger than a frame may hold */
export function frameOf(kind: number, json: string): Buffer {
  const frame = checked(Buffer.from(`${headerRoom}${json}`));
  return withHeader(frame, kind, frame.byteLength);
}

/**
 * As `frameOf`, to the start of a buffer that is smaller than a frame may be.
 *
 * @returns bytes of the frame; undefined where it may not fit, and then nothing was written
 */
export function writeFrame(buffer: Buffer, kind: number, json: string): number | undefined {
  const end = writeBehind(buffer, headerRoom.length, json);
  if (end !== undefined) withHeader(buffer, kind, end);
  return end;
}

/** As `encodeTexts`, in the way of `writeFrame`. */
export function writeTexts(buffer: Buffer, kind: number, texts: Texts): number | undefined {
  const all = `${texts.first}${texts.second}${texts.rest}`;
  const end = writeBehind(buffer, textsRoom.length, all);
  if (end === undefined) return undefined;
  writeNumbers(buffer, texts);
  withHeader(buffer, kind, end);
  return end;
}

function writeBehind(buffer: Buffer, start: number, text: string): number | undefined {
  if (text.length * maxBytesOfUnit > buffer.length - start) return undefined;
  return start + writeText(buffer, start, text);
}

function writeNumbers(frame: Buffer, { id, first, second }: Texts): void {
  writeNumber(frame, headerRoom.length, id);
  writeNumber(frame, headerRoom.length + 4, first.length);
  writeNumber(frame, headerRoom.length + 8, second.length);
}

function checked(frame: Buffer): Buffer {
  const length = frame.byteLength - headerBytes - 1;
  if (length > maxFrameBytes) {
    throw new RangeError(`a frame of ${length} bytes, limit ${maxFrameBytes}`);
  }
  return frame;
}

/** @param bytes of the whole frame */
function withHeader(frame: Buffer, kind: number, bytes: number): Buffer {
  writeNumber(frame, 0, bytes - headerBytes);
  frame[headerBytes] = kind;
  return frame;
}

/** @throws {RangeError} when the payload is no texts */
export function decodeTexts({ bytes, start, end }: Frame): Texts {
  if (end - start < numbersBytes) throw new RangeError(`texts of ${end - start} bytes`);
  const id = readNumber(bytes, start);
  const first = readNumber(bytes, start + 4);
  const second = first + readNumber(bytes, start + 8);
  // As a whole: to decode each by itself takes several times as long.
  const all = readText(bytes, start + numbersBytes, end);
  if (second > all.length) {
    throw new RangeError(`a text announces ${second} units, and there are ${all.length}`);
  }
  return {
    id,
    first: all.slice(0, first),
    second: all.slice(first, second),
    rest: all.slice(second),
  };
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
    writeNumber(header, 0, part.byteLength + 1);
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
      const kind = bytes[headerBytes] as number;
      frames.push({ kind, bytes, start: headerBytes + 1, end: need });
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
  const length = readNumber(first, 0);
  if (length < 1 || length > limit + 1) {
    throw new RangeError(`a frame announces ${length} bytes, limit ${limit}`);
  }
  return headerBytes + length;
}
