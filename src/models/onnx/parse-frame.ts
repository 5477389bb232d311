import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const dimensions = v.pipe(count, v.minValue(1), v.maxValue(65_536));
const frame = v.variant('type', [
  v.object({ type: v.literal('ready'), id: count, dimensions: count }),
  // Bytes: vectors of `dimensions` f32, one for each text.
  v.object({ type: v.literal('vectors'), id: count, dimensions }),
  // Bytes: for each text its scales as f32, then its states as i8; `tokens` counts them. Of a question
  // alone, `pieces` are its tokens as text.
  v.object({
    type: v.literal('states'),
    id: count,
    dimensions,
    tokens: v.array(count),
    pieces: v.array(v.string()),
  }),
  v.object({
    type: v.literal('scores'),
    id: count,
    scores: v.array(v.pipe(v.number(), v.finite())),
  }),
  v.object({ type: v.literal('failed'), id: count, message: v.string() }),
]);

export type FromChild = v.InferOutput<typeof frame>;

/** @throws {KernelError} `unavailable`: what native code broke is not to be trusted further */
export function parseFrame(json: string): FromChild {
  try {
    return v.parse(frame, JSON.parse(json), { abortEarly: true });
  } catch (thrown) {
    throw new KernelError('unavailable', 'the ONNX process sent an unknown message', {
      cause: thrown,
    });
  }
}

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

/**
 * Messages between the kernel and the ONNX process: one JSON object a line on the process's
 * standard input, and frames on descriptor 3: the length of a JSON object and of the bytes behind
 * it, four bytes each, little-endian, then both. Standard output is not used, since native code may
 * print there.
 */

/** Longest line to the process: a few texts at a time. */
export const maxRequestChars = 16 * 1024 * 1024;
const maxReplyJsonBytes = 256 * 1024;
/** States of eight texts of 512 tokens with 4,096 dimensions. */
const maxReplyBytes = 24 * 1024 * 1024;
/** Descriptor on which the process replies. */
export const replyFd = 3;

/** Which file of the folder, as the library names it. */
export type ModelFile = { subfolder: string; dtype: 'q8' | 'fp32' };
export type Pooling = 'mean' | 'cls' | 'last';

export type OpenRequest = {
  type: 'open';
  folder: string;
  file: ModelFile;
  kind: 'sentence' | 'pairs';
  threads: number;
};

export type WorkRequest =
  | { type: 'embed'; texts: readonly string[]; pooling: Pooling; maxTokens: number }
  | { type: 'states'; texts: readonly string[]; maxTokens: number; isQuery: boolean }
  | { type: 'score'; question: string; texts: readonly string[]; maxTokens: number };

export type ToChild = { id: number } & (OpenRequest | WorkRequest);
