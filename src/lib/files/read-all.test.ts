import { describe, expect, it } from 'vitest';
import { readAll } from './read-all.ts';

const tooLong = () => new Error('too long');

async function* pieces(...texts: string[]): AsyncGenerator<Buffer, void, undefined> {
  for (const text of texts) yield Buffer.from(text);
}

describe('readAll()', () => {
  it('keeps what comes in pieces, up to the last byte that is allowed', async () => {
    expect((await readAll(pieces('ab', 'cd'), 4, tooLong)).toString()).toBe('abcd');
    expect((await readAll(pieces(), 0, tooLong)).toString()).toBe('');
  });

  it('reads an endless stream no further than the limit and closes it', async () => {
    let given = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer, void, undefined> {
      try {
        for (;;) {
          given += 1;
          yield Buffer.alloc(10);
        }
      } finally {
        closed = true;
      }
    }
    await expect(readAll(endless(), 25, tooLong)).rejects.toThrow('too long');
    expect({ given, closed }).toEqual({ given: 3, closed: true });
  });
});
