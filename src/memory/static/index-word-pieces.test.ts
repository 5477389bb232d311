import { mkdtempDisposableSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodePieceTable,
  indexWordPieces,
  readPieceTable,
  tabulatePieces,
} from './index-word-pieces.ts';

const letter = fc.constantFrom('a', 'b', '#', 'é', '一');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 });

/** What a map and cut strings find. */
function plainly(pieces: readonly string[], text: string, from: number) {
  const ids = new Map(pieces.map((piece, id) => [piece, id]));
  for (let end = text.length; end > from; end -= 1) {
    const id = ids.get((from === 0 ? '' : '##') + text.slice(from, end));
    if (id !== undefined) return { id, end };
  }
  return undefined;
}

describe('indexWordPieces()', () => {
  it('finds what a map of the pieces finds, of equal ones the last', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, (pieces, text) => {
        const index = indexWordPieces(pieces.join('\n'));
        expect(index.count).toBe(pieces.length);
        expect(index.idOf(text) ?? -1).toBe(pieces.lastIndexOf(text));
        for (let from = 0; from < text.length; from += 1)
          expect(index.longestAt(text, from)).toEqual(plainly(pieces, text, from));
      }),
    );
  });
});

const piece = fc.string({ unit: fc.constantFrom('a', 'b', '#', 'é', '一'), minLength: 1 });

describe('readPieceTable()', () => {
  it('finds with what was written what the vocabulary itself finds', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-table-'));
    const path = join(folder.path, 'x.table');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), piece, (pieces, word) => {
        const vocabulary = pieces.join('\n');
        writeFileSync(path, encodePieceTable(tabulatePieces(vocabulary)));
        const read = indexWordPieces(vocabulary, readPieceTable(path, vocabulary));
        const made = indexWordPieces(vocabulary);
        expect(read.count).toBe(made.count);
        expect(read.idOf(word)).toBe(made.idOf(word));
        for (let from = 0; from < word.length; from += 1)
          expect(read.longestAt(word, from)).toEqual(made.longestAt(word, from));
      }),
    );
  });

  it('takes none of another vocabulary, none that is cut off and none that is not there', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-table-'));
    const path = join(folder.path, 'x.table');
    const vocabulary = 'one\ntwo\n##s';
    expect(readPieceTable(path, vocabulary)).toBeUndefined();
    const bytes = encodePieceTable(tabulatePieces(vocabulary));
    writeFileSync(path, bytes);
    expect(readPieceTable(path, vocabulary)).toEqual(tabulatePieces(vocabulary));
    expect(readPieceTable(path, `${vocabulary}\nmore`)).toBeUndefined();
    for (let length = bytes.length - 1; length >= 0; length -= 1) {
      truncateSync(path, length);
      expect(readPieceTable(path, vocabulary), `${length}`).toBeUndefined();
    }
  });
});
