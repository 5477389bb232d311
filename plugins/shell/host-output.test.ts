import { describe, expect, it } from 'vitest';
import { hostLines, hostOutputs } from './host-output.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text in pieces of a few bytes, as the host hands it out. */
function valuesOf(text: string, size: number) {
  const all = bytes(text);
  return {
    get: (key: string) => {
      const number = Number(/^exec-output:abc:(\d+)$/.exec(key)?.[1]);
      const piece = all.slice(number * size, (number + 1) * size);
      return piece.byteLength === 0 ? undefined : piece;
    },
  };
}

describe('hostLines()', () => {
  it.each([1, 2, 3, 7, 100])('puts lines together that pieces of %i bytes cut', (size) => {
    const text = 'grüße\n\n🪵 two\nlast';
    for (const start of [1, 2, 3, 4, 5]) {
      const lines = hostLines(valuesOf(text, size), 'abc', start) ?? [];
      expect([...lines]).toEqual(text.split('\n').slice(start - 1));
    }
    expect([...(hostLines(valuesOf(`${text}\n`, size), 'abc', 1) ?? [])]).toHaveLength(5);
  });

  it('knows what is kept no more', () => {
    expect(hostLines({ get: () => undefined }, 'abc', 1)).toBeUndefined();
  });
});

describe('hostOutputs()', () => {
  it('lists what the host says, and nothing where it says nothing', () => {
    const told = [{ id: 'abc', program: 'seq', stream: 'stdout', bytes: 9, cut: false }];
    expect(hostOutputs({ get: () => bytes(JSON.stringify(told)) })).toEqual(told);
    expect(hostOutputs({ get: () => undefined })).toEqual([]);
  });
});
