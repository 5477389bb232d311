import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';

const supportedVersions = [2, 3];
const defaultAlignment = 32;
const maxDimensions = 4;
/** Longest name or key; the format allows 64 and 65,535 bytes. */
const maxNameBytes = 65_535;
/** The most bytes of header, metadata and tensor list; vocabularies of 260,000 tokens have some 10 MiB. */
const maxHeaderBytes = 64 * 1024 * 1024;

/** Bytes of a metadata value by its type; strings (8) and arrays (9) say their own length. */
const valueBytes = new Map([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [5, 4],
  [6, 4],
  [7, 1],
  [10, 8],
  [11, 8],
  [12, 8],
]);
const stringType = 8;
const arrayType = 9;

/** Elements and bytes of one block by tensor type, as in ggml; a type not listed is not measured. */
const blocks = new Map<number, readonly [elements: number, bytes: number]>([
  [0, [1, 4]],
  [1, [1, 2]],
  [2, [32, 18]],
  [3, [32, 20]],
  [6, [32, 22]],
  [7, [32, 24]],
  [8, [32, 34]],
  [9, [32, 36]],
  [10, [256, 84]],
  [11, [256, 110]],
  [12, [256, 144]],
  [13, [256, 176]],
  [14, [256, 210]],
  [15, [256, 292]],
  [16, [256, 66]],
  [17, [256, 74]],
  [18, [256, 98]],
  [19, [256, 50]],
  [20, [32, 18]],
  [21, [256, 110]],
  [22, [256, 82]],
  [23, [256, 136]],
  [24, [1, 1]],
  [25, [1, 2]],
  [26, [1, 4]],
  [27, [1, 8]],
  [28, [1, 8]],
  [29, [256, 56]],
  [30, [1, 2]],
  [34, [256, 54]],
  [35, [256, 66]],
  [39, [32, 17]],
]);

/** The reason, as the second half of a sentence. */
class Refusal extends Error {}

function skipValue(reader: ByteReader, type: number): void {
  if (type === stringType) {
    reader.skip(reader.u64());
    return;
  }
  if (type === arrayType) {
    const itemType = reader.u32();
    const count = reader.u64();
    const bytes = valueBytes.get(itemType);
    if (bytes !== undefined) reader.skip(count * bytes);
    else if (itemType === stringType) for (let i = 0; i < count; i += 1) reader.skip(reader.u64());
    else throw new Refusal(`its metadata holds a list of the unknown type ${itemType}`);
    return;
  }
  const bytes = valueBytes.get(type);
  if (bytes === undefined) throw new Refusal(`its metadata holds the unknown type ${type}`);
  reader.skip(bytes);
}

/** Reads over the metadata. @returns the alignment of the tensors */
function readMetadata(reader: ByteReader, entries: number): number {
  let alignment = defaultAlignment;
  for (let i = 0; i < entries; i += 1) {
    const key = reader.text(maxNameBytes);
    const type = reader.u32();
    if (key === 'general.alignment' && type === 4) alignment = reader.u32();
    else skipValue(reader, type);
  }
  if (alignment < 1 || alignment > 65_536) throw new Refusal(`its alignment is ${alignment}`);
  return alignment;
}

/** @returns where the last tensor ends, from the start of the data */
function readTensors(reader: ByteReader, tensors: number): number {
  let end = 0;
  for (let i = 0; i < tensors; i += 1) {
    const name = reader.text(maxNameBytes);
    const dimensions = reader.u32();
    if (dimensions > maxDimensions)
      throw new Refusal(`its tensor ${JSON.stringify(name)} has ${dimensions} dimensions`);
    let elements = 1;
    for (let d = 0; d < dimensions; d += 1) elements *= reader.u64();
    const [perBlock, blockBytes] = blocks.get(reader.u32()) ?? [1, 0];
    end = Math.max(end, reader.u64() + Math.ceil(elements / perBlock) * blockBytes);
  }
  return end;
}

function checkLayout(reader: ByteReader): void {
  if (reader.size < 4 || reader.ascii(4) !== 'GGUF') {
    throw new Refusal('it does not begin with "GGUF"');
  }
  const version = reader.u32();
  if (!supportedVersions.includes(version)) {
    throw new Refusal(
      `its format version is ${version}, supported are ${supportedVersions.join(', ')}`,
    );
  }
  const tensors = reader.u64();
  const entries = reader.u64();
  if (tensors === 0) throw new Refusal('it holds no tensors');
  const alignment = readMetadata(reader, entries);
  const dataEnd = readTensors(reader, tensors);
  const dataStart = Math.ceil(reader.position / alignment) * alignment;
  if (dataStart + dataEnd > reader.size) {
    throw new Refusal(`it is cut off at ${reader.size} of ${dataStart + dataEnd} bytes`);
  }
}

function toKernelError(path: string, thrown: unknown): KernelError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new KernelError('not-found', `there is no model file ${path}`, {
      cause: thrown,
      hint: 'check the path, or run without a model: --model none',
    });
  }
  let reason = code || 'it cannot be read';
  if (thrown instanceof Refusal) reason = thrown.message;
  else if (thrown instanceof RangeError) reason = `it is damaged or cut off: ${thrown.message}`;
  else if (code === 'EACCES' || code === 'EPERM') reason = 'you have no right to read it';
  return new KernelError(
    'invalid-argument',
    `${path} is not a GGUF model that can be used: ${reason}`,
    {
      cause: thrown,
      hint: 'give the path of a complete .gguf file, or run without a model: --model none',
    },
  );
}

/**
 * Reads the header, metadata and tensor list of a model file before native code does, so that a
 * broken download is a sentence and not a crash.
 *
 * @throws {KernelError} `not-found` when there is none, `invalid-argument` when it is not a GGUF, of
 *   a version not supported, damaged in its header or shorter than its tensors
 */
export function checkGguf(path: string): void {
  let fd: number | undefined;
  try {
    const stat = statSync(path);
    // Opening a pipe without a writer would wait for ever.
    if (!stat.isFile()) throw new Refusal('it is not a file');
    fd = openSync(path, 'r');
    checkLayout(createByteReader(fd, stat.size, maxHeaderBytes));
  } catch (thrown) {
    throw toKernelError(path, thrown);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const windowBytes = 1024 * 1024;
/** Lengths and counts that are read; everything else waits meanwhile. Models of 260,000 tokens have under a million. */
const maxNumbers = 2_000_000;

/** Little-endian values of a file, from its start on. Reading past its end is a `RangeError`. */
export type ByteReader = {
  readonly size: number;
  readonly position: number;
  u32(): number;
  /** exact up to 2^53; larger values only ever serve to be refused */
  u64(): number;
  ascii(bytes: number): string;
  /** a length in 8 bytes, then UTF-8 */
  text(maxBytes: number): string;
  skip(bytes: number): void;
};

/**
 * @param fd open for reading; stays the caller's
 * @param maxPosition beyond it nothing is read, and a `RangeError` says so: a sparse file of any
 *   size costs its author nothing
 */
function createByteReader(fd: number, size: number, maxPosition: number): ByteReader {
  let window = Buffer.alloc(0);
  let windowStart = 0;
  let position = 0;

  function checkEnd(end: number): void {
    if (end > size) throw new RangeError(`byte ${end} is needed, it has ${size}`);
    if (end > maxPosition) throw new RangeError(`its header goes beyond byte ${maxPosition}`);
  }

  function take(bytes: number): Buffer {
    checkEnd(position + bytes);
    if (position < windowStart || position + bytes > windowStart + window.length) {
      const next = Buffer.allocUnsafe(Math.min(Math.max(windowBytes, bytes), size - position));
      let filled = 0;
      while (filled < bytes) {
        const read = readSync(fd, next, filled, next.length - filled, position + filled);
        if (read === 0) throw new RangeError(`it became shorter than ${size} bytes while read`);
        filled += read;
      }
      window = next.subarray(0, filled);
      windowStart = position;
    }
    const at = position - windowStart;
    position += bytes;
    return window.subarray(at, at + bytes);
  }

  let numbers = 0;
  const u64 = (): number => {
    numbers += 1;
    if (numbers > maxNumbers)
      throw new RangeError(`its header lists more than ${maxNumbers} parts`);
    const bytes = take(8);
    return bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE();
  };
  return {
    size,
    get position() {
      return position;
    },
    u32: () => take(4).readUInt32LE(),
    u64,
    ascii: (bytes) => take(bytes).toString('latin1'),
    text(maxBytes) {
      const bytes = u64();
      if (bytes > maxBytes) throw new RangeError(`a name has ${bytes} bytes, limit ${maxBytes}`);
      return take(bytes).toString('utf8');
    },
    skip(bytes) {
      checkEnd(position + bytes);
      position += bytes;
    },
  };
}
