import { describe, expect, it } from 'vitest';
import { createTypedInput } from './keyboard.ts';

const mark = { start: '\u001b[200~', end: '\u001b[201~' };

function typed(...pieces: string[]): string {
  const input = createTypedInput();
  return input.expand(pieces.map((piece) => input.push(Buffer.from(piece))).join(''));
}

/** Each cut of a text in two. */
const cuts = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]);

describe('createTypedInput()', () => {
  it('passes keys on as they come, also Esc alone and arrows', () => {
    for (const keys of ['abc\r', '\u001b', '\u001b[A', '\u001b[3~', 'ä€😀'])
      expect(typed(keys)).toBe(keys);
  });

  it('makes one word of a paste of several lines, wherever it is cut in two', () => {
    const text = `a ${mark.start}one\r\ntwo\rthree${mark.end} b`;
    for (const [first = '', second = ''] of cuts(text)) {
      // A mark that is cut behind its first keys cannot be told from these keys.
      if (first === 'a \u001b' || first === 'a \u001b[') continue;
      expect(typed(first, second), JSON.stringify(first)).toBe('a one\ntwo\nthree b');
    }
    const input = createTypedInput();
    expect(input.push(Buffer.from(text))).toBe('a [paste 1: 3 lines] b');
    expect(input.push(Buffer.from(`${mark.start}x\ty${mark.end}`))).toBe('[paste 2: 1 line]');
    expect(input.expand('[paste 2: 1 line], [paste 1: 3 lines], [paste 9: 1 line]')).toBe(
      'x\ty, one\ntwo\nthree, [paste 9: 1 line]',
    );
  });

  it('types a paste of one line, and never sends it', () => {
    expect(typed(`${mark.start}git status\n${mark.end}`)).toBe('git status');
  });

  it('takes nothing that a terminal obeys out of a paste', () => {
    expect(typed(`${mark.start}a\u0003\u001b[31mb\u0004\u007f${mark.end}`)).toBe('a[31mb');
  });

  it('ends a line of a message by Alt+Enter and what terminals send for Shift+Enter', () => {
    for (const keys of ['\u001b\r', '\u001b[13;2u', '\u001b[27;2;13~'])
      expect(typed(`one${keys}two`)).toBe('one\u0005\\\rtwo');
  });

  it('reads characters that come in pieces', () => {
    const input = createTypedInput();
    const bytes = Buffer.from('€');
    expect(input.push(bytes.subarray(0, 1)) + input.push(bytes.subarray(1))).toBe('€');
  });
});
