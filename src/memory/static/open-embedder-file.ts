import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  countLines,
  decodeTables,
  type EmbedderBytes,
  type EmbedderFile,
  requirePieces,
} from './embedder-file.ts';
import type { PieceTable } from './index-word-pieces.ts';
import { pieceTableFileName, readPieceTable } from './index-word-pieces.ts';

/** A file whose `values` are read row by row, as they are needed. */
export type OpenEmbedderFile = Omit<EmbedderFile, 'notice'> & {
  /**
   * Reads a row, and those beside it, into `values`.
   *
   * @throws where the file cannot be read any more
   */
  need(row: number): void;
  /** of the vocabulary, where one lies beside the file */
  pieces: PieceTable | undefined;
};

/** Rows that are read at once: 3 to 4 KB. */
const groupRows = 16;
/**
 * So many groups are read one by one. A caller that needs more reads many texts; then the rest of
 * the file is read at once.
 */
const mostGroups = 400;

/** Closes files of embedders that nobody has any more. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/**
 * Reads rows on demand: a question needs a few hundred of 30,000 rows, and reading the whole file
 * takes as long as all other work of a small question.
 *
 * @throws {RangeError} when it is no such file, or ends too soon
 */
export function openEmbedderFile(path: string): OpenEmbedderFile {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const source = bytesOf(descriptor, size);
    const { notice: _, valuesAt, ...tables } = decodeTables(source);
    const { rows, dimensions, vocabulary } = tables;
    const pieces = readPieceTable(join(dirname(path), pieceTableFileName), vocabulary);
    requirePieces(tables, pieces === undefined ? countLines(vocabulary) : pieces.starts.length - 1);
    // Memory that is not written to is not taken.
    const bytes = Buffer.allocUnsafeSlow(rows * dimensions);
    const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const isRead = new Uint8Array(Math.ceil(rows / groupRows));
    let count = 0;
    const readRows = (from: number, end: number): void =>
      fill(descriptor, bytes.subarray(from * dimensions, end * dimensions), {
        at: valuesAt + from * dimensions,
      });
    const file: OpenEmbedderFile = {
      ...tables,
      values,
      pieces,
      need: (row) => {
        const group = Math.floor(row / groupRows);
        if (isRead[group] === 1) return;
        if (count < mostGroups) {
          readRows(group * groupRows, Math.min(rows, (group + 1) * groupRows));
          isRead[group] = 1;
        } else {
          readRows(0, rows);
          isRead.fill(1);
        }
        count += 1;
      },
    };
    forgotten.register(file, descriptor);
    return file;
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function bytesOf(descriptor: number, size: number): EmbedderBytes {
  return {
    size,
    read: (at, length) => {
      const bytes = Buffer.allocUnsafe(length);
      fill(descriptor, bytes, { at });
      return bytes;
    },
  };
}

function fill(descriptor: number, into: Buffer, { at }: { at: number }): void {
  for (let done = 0; done < into.length; ) {
    const count = readSync(descriptor, into, done, into.length - done, at + done);
    if (count === 0) throw new RangeError('it was cut off while it was read');
    done += count;
  }
}
