import { readFileSync } from 'node:fs';
import { type PieceTable, slotsFor } from './index-word-pieces.ts';

/** The table of the pieces that both embedders have, beside them. */
export const pieceTableFileName = 'word-pieces.table';

/** Layout, u32 in the byte order of the processor: pieces, the longest, their starts, the slots. */
export function encodePieceTable({ starts, slots, longest }: PieceTable): Uint8Array {
  const words = Uint32Array.of(starts.length - 1, longest, ...starts, ...slots);
  return new Uint8Array(words.buffer);
}

/**
 * The table that the build has made: to make it takes a question longer than all else that it does
 * with an embedder.
 *
 * @returns undefined where there is none, or it is of another vocabulary
 */
export function readPieceTable(path: string, vocabulary: string): PieceTable | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.byteLength));
  const [count = 0, longest = 0] = words;
  const starts = words.subarray(2, 3 + count);
  const slots = words.subarray(3 + count);
  const isOfIt = starts[count] === vocabulary.length + 1 && slots.length === slotsFor(count);
  return isOfIt ? { starts, slots, longest } : undefined;
}
