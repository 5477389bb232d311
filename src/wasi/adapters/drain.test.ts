import { describe, expect, it } from 'vitest';
import { drained } from './drain.ts';

/** A stream as glue gives it, in pieces. */
function streamOf(...pieces: ArrayLike<unknown>[]) {
  const left = pieces[Symbol.iterator]();
  return { read: async () => left.next(), [Symbol.dispose]: () => {} };
}

const bytes = { kind: 'stream', of: { kind: 'u8' } } as const;
const options = (maxItems: number, shown: unknown[] = []) => ({
  maxItems,
  reading: new Set<Disposable>(),
  show: (...item: unknown[]) => void shown.push(item),
});
const texts = { kind: 'stream', of: { kind: 'string' } } as const;

describe('drained()', () => {
  it('keeps bytes as bytes, and other items in their order', async () => {
    const given = drained(streamOf(Uint8Array.of(1, 2), Uint8Array.of(3)), bytes, options(3));
    expect(await given).toEqual(Buffer.of(1, 2, 3));
    expect(await drained(streamOf(['a'], ['b', 'c']), texts, options(3))).toEqual(['a', 'b', 'c']);
    expect(await drained(streamOf(), bytes, options(3))).toEqual([]);
  });

  it('shows where it is at each piece, and nothing of bytes', async () => {
    const shown: unknown[] = [];
    await drained(streamOf(['a'], ['b', 'c'], []), texts, options(3, shown));
    await drained(streamOf(Uint8Array.of(1)), bytes, options(3, shown));
    expect(shown).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
  });

  it('ends at the item above the limit', async () => {
    const given = drained(streamOf(Uint8Array.of(1, 2), Uint8Array.of(3, 4)), bytes, options(3));
    await expect(given).rejects.toThrow('it streams more than 3 items');
  });
});
