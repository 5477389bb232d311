import { afterEach, describe, expect, it, vi } from 'vitest';
import { note, noteLine, print } from './output.ts';

const raw = 'a\u001b[31mb\u202e\nc';
const shown = 'a\\x1b[31mb\\u{202e}\nc';

function written(stream: NodeJS.WriteStream, act: () => void): string {
  const write = vi.spyOn(stream, 'write').mockReturnValue(true);
  act();
  return write.mock.calls.map(([text]) => String(text)).join('');
}

afterEach(() => vi.restoreAllMocks());

describe('what is printed', () => {
  it.each([
    ['a terminal', true, shown],
    ['a file or a program', undefined, raw],
  ])('for %s is what it may obey, or what it is', (_, isTTY, text) => {
    const before = process.stdout.isTTY;
    Object.assign(process.stdout, { isTTY });
    try {
      expect(written(process.stdout, () => print(raw))).toBe(`${text}\n`);
    } finally {
      Object.assign(process.stdout, { isTTY: before });
    }
  });

  it('beside it has nothing that a terminal would obey', () => {
    expect(written(process.stderr, () => note(raw))).toBe(`${shown}\n`);
    vi.restoreAllMocks();
    expect(written(process.stderr, () => noteLine(raw))).toBe('a\\x1b[31mb\\u{202e} c\n');
  });
});
