import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexWordPieces } from './index-word-pieces.ts';

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
