/**
 * Frames between the kernel and a plugin process: a 4-byte little-endian length of
 * what follows, one byte that names the kind, then JSON as UTF-8. A call and its output are not
 * JSON but texts: three 4-byte numbers, which are the call's id and how many bytes the first and the
 * second text have, then the three texts one behind the other as UTF-8.
 */
const headerBytes = 4;
/** Room for the length and the kind. */
const headerRoom = '\0'.repeat(headerBytes + 1);
/** Bytes of the three numbers. */
const numbersBytes = 12;
const textsRoom = `${headerRoom}${'\0'.repeat(numbersBytes)}`;
/** The place of the first text in a frame. */
export const textsStart: number = textsRoom.length;

/** Bytes that one frame may hold: a result up to its highest limit (6 MiB), and its host calls. */
export const maxFrameBytes = 8 * 1024 * 1024;

/**
 * Kinds the kernel sends; the payload of a `part` is not JSON but bytes of a file, that of a `call`
 * texts.
 */
export const toProcess = {
  open: 1,
  call: 2,
  reply: 3,
  part: 4,
  file: 5,
  assist: 6,
  transfer: 7,
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

/** The place of its payload: a payload read in one piece is not copied. */
export type Frame = { kind: number; bytes: Buffer; start: number; end: number };

/** No copy: it is good for as long as the bytes of the frame are. */
export function payloadOf({ bytes, start, end }: Frame): Buffer {
  return bytes.subarray(start, end);
}

export function jsonOf({ bytes, start, end }: Frame): string {
  return readText(bytes, start, end);
}

export type Texts<Text = string> = {
  /** of the call, from 0 to 2³² - 1 */
  id: number;
  first: Text;
  second: Text;
  rest: Text;
};

/** @throws {RangeError} when the message is larger than a frame may be */
export function encodeFrame(kind: number, message: unknown): Buffer {
  return frameOf(kind, JSON.stringify(message));
}

/** @throws {RangeError} when the JSON is larger than a frame may hold */
export function frameOf(kind: number, json: string): Buffer {
  return withHeader(Buffer.from(`${headerRoom}${json}`), kind);
}

/**
 * As `frameOf`, to the start of a buffer that is smaller than a frame may be.
 *
 * @returns bytes of the frame; undefined where it may not fit, and then nothing was written
 */
export function writeFrame(buffer: Buffer, kind: number, json: string): number | undefined {
  const start = headerRoom.length;
  if (json.length * maxBytesOfUnit > buffer.length - start) return undefined;
  const end = start + writeText(buffer, start, json);
  withHeader(buffer, kind, end);
  return end;
}

/** @throws {RangeError} when the texts are larger than a frame may hold */
export function encodeTexts(kind: number, { id, first, second, rest }: Texts): Buffer {
  const frame = Buffer.from(`${textsRoom}${first}${second}${rest}`);
  return withNumbers(frame, kind, { id, first: bytesOf(first), second: bytesOf(second) });
}

function bytesOf(text: string): number {
  return text === '' ? 0 : Buffer.byteLength(text);
}

/**
 * Puts in front what makes a frame of texts that stand from `textsStart` on.
 *
 * @param numbers the id, and bytes of the first and of the second text
 * @param end of the last text
 * @throws {RangeError} when they are larger than a frame may hold
 */
export function withNumbers(
  frame: Buffer,
  kind: number,
  { id, first, second }: { id: number; first: number; second: number },
  end: number = frame.byteLength,
): Buffer {
  writeNumber(frame, headerRoom.length, id);
  writeNumber(frame, headerRoom.length + 4, first);
  writeNumber(frame, headerRoom.length + 8, second);
  return withHeader(frame, kind, end);
}

function withHeader(frame: Buffer, kind: number, end: number = frame.byteLength): Buffer {
  writeNumber(frame, 0, checked(end - headerRoom.length) + 1);
  frame[headerBytes] = kind;
  return frame;
}

/** @param length of a payload in bytes */
function checked(length: number): number {
  if (length <= maxFrameBytes) return length;
  throw new RangeError(`a frame of ${length} bytes, limit ${maxFrameBytes}`);
}

/** @throws {RangeError} when the payload does not hold texts */
export function decodeTexts(frame: Frame): Texts {
  const { bytes, end } = frame;
  const { id, start, second, rest } = placesOf(frame);
  // Decoded as a whole if each character is a byte: one by one takes several times as long.
  const all = readText(bytes, start, end);
  if (all.length === end - start) {
    const [toSecond, toRest] = [second - start, rest - start];
    return {
      id,
      first: all.slice(0, toSecond),
      second: all.slice(toSecond, toRest),
      rest: all.slice(toRest),
    };
  }
  return {
    id,
    first: readText(bytes, start, second),
    second: readText(bytes, second, rest),
    rest: readText(bytes, rest, end),
  };
}

/**
 * As `decodeTexts`, without a copy: good for as long as the bytes of the frame are.
 *
 * @throws {RangeError} when the payload does not hold texts
 */
export function viewTexts(frame: Frame): Texts<Uint8Array> {
  const { buffer, byteOffset } = frame.bytes;
  const { id, start, second, rest } = placesOf(frame);
  return {
    id,
    first: new Uint8Array(buffer, byteOffset + start, second - start),
    second: new Uint8Array(buffer, byteOffset + second, rest - second),
    rest: new Uint8Array(buffer, byteOffset + rest, frame.end - rest),
  };
}

function placesOf({ bytes, start, end }: Frame): {
  id: number;
  start: number;
  second: number;
  rest: number;
} {
  const first = start + numbersBytes;
  if (first > end) throw new RangeError(`texts of ${end - start} bytes`);
  const second = first + readNumber(bytes, start + 4);
  const rest = second + readNumber(bytes, start + 8);
  if (rest > end) {
    throw new RangeError(`texts of ${rest - first} bytes and more, and there are ${end - first}`);
  }
  return { id: readNumber(bytes, start), start: first, second, rest };
}

/**
 * The frames that carry a file, its bytes not copied.
 *
 * @param message see `FileMessage`
 */
export function* encodeFile(
  bytes: Uint8Array,
  message: unknown,
): Generator<Uint8Array, void, undefined> {
  yield* encodeParts(bytes);
  yield encodeFrame(toProcess.file, message);
}

/** The frames with bytes, which are not copied; the frame after them says what they are. */
function* encodeParts(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.byteLength; start += maxPartBytes) {
    const part = bytes.subarray(start, start + maxPartBytes);
    const header = Buffer.allocUnsafe(headerBytes + 1);
    writeNumber(header, 0, part.byteLength + 1);
    header[headerBytes] = toProcess.part;
    yield header;
    yield part;
  }
}

/** Pieces of a frame that are kept as they came; a frame in the usual ones has fewer. */
const maxLoosePieces = 1024;

/**
 * Cuts a stream of bytes into frames. The sender may be hostile: a length that is
 * empty or above the limit throws before anything is allocated for it.
 *
 * @returns a function that takes the next bytes and returns the frames they complete
 */
export function createFrameDecoder(limit: number = maxFrameBytes): (chunk: Buffer) => Frame[] {
  let pending: Buffer[] = [];
  let size = 0;
  /** how many of the first ones were joined already */
  let joined = 0;

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
      joined = 0;
      need = size > 0 ? neededBytes(pending[0] as Buffer, limit) : undefined;
    }
    // A byte that comes alone takes a hundred times as much memory as one among others.
    if (pending.length - joined >= maxLoosePieces) {
      pending.push(Buffer.concat(pending.splice(joined)));
      joined += 1;
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

/** UTF-8 takes at most three bytes for a unit of a string. */
export const maxBytesOfUnit = 3;

/**
 * How many bytes two texts take together as UTF-8; undefined where that is at most `limit`, which
 * for short ones is seen without counting.
 */
export function bytesAbove(limit: number, one: string, other: string): number | undefined {
  if ((one.length + other.length) * maxBytesOfUnit <= limit) return undefined;
  const bytes = Buffer.byteLength(one) + Buffer.byteLength(other);
  return bytes > limit ? bytes : undefined;
}

/** Bytes inside JSON frames: an object with this one key, and base64 in it. */
const bytesKey = '$bytes';

/** The same value with every `Uint8Array` in a form that JSON keeps. */
export function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [bytesKey]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(encodeBytes);
  if (typeof value !== 'object' || value === null) return value;
  // Numbers that the host counts in come as such an array, and a guest takes any list of them.
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<number>);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encodeBytes(item)]));
}

/** The input of `encodeBytes`. */
export function decodeBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === bytesKey && typeof first[1] === 'string') {
    return new Uint8Array(Buffer.from(first[1], 'base64'));
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, decodeBytes(item)]));
}

/**
 * Numbers and texts in the bytes of a frame. `Buffer` has methods for them whose arguments are
 * checked by half a dozen functions each: nothing where they are repeated, and several percent of a
 * call whose code has gone cold.
 */
type Decoder = (this: Uint8Array, start: number, end: number) => string;
type Encoder = (this: Uint8Array, text: string, start: number) => number;
const { utf8Slice, utf8Write } = Buffer.prototype as unknown as {
  utf8Slice: Decoder;
  utf8Write: Encoder;
};

/** @param at of four bytes that are there, little-endian; from 0 to 2³² - 1 */
export function readNumber(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  const high = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
  return (low | (high << 16)) >>> 0;
}

function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** UTF-8; other bytes become U+FFFD. @throws {RangeError} when the bytes are not there */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice.call(bytes, start, end);
}

/** As UTF-8. @returns bytes that were written; there must be room for all of them */
export function writeText(bytes: Uint8Array, start: number, text: string): number {
  return utf8Write.call(bytes, text, start);
}
