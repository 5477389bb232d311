import { describe, expect, it } from 'vitest';
import { createWordWrap } from './markdown-view.ts';

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;

function wrapped(text: string, width: number, size = 1, lead?: string): string {
  const wrap = createWordWrap(width);
  let out = lead === undefined ? '' : wrap.begin(lead);
  for (let at = 0; at < text.length; at += size) out += wrap.push(text.slice(at, at + size));
  return out + wrap.endLine();
}

describe('createWordWrap()', () => {
  it.each([1, 2, 5, 100])('breaks lines at blanks, in pieces of %i', (size) => {
    expect(wrapped('one two three four', 9, size)).toBe('one two\nthree\nfour');
    expect(wrapped('one  two', 20, size)).toBe('one  two');
  });

  it('indents what follows a mark of a list as far as the mark', () => {
    expect(wrapped('one two three', 9, 3, '- ')).toBe('- one two\n  three');
    expect(wrapped('one two three', 9, 3, bold('- '))).toBe(`${bold('- ')}one two\n  three`);
  });

  it('counts no column for styles, and two for wide characters', () => {
    expect(wrapped(`one ${bold('two')} six`, 7, 100)).toBe(`one ${bold('two')}\nsix`);
    expect(wrapped('日本 語語', 8)).toBe('日本\n語語');
  });

  it('leaves a word that is wider than a line to the terminal', () => {
    expect(wrapped('see https://example.org/a/b/c now', 10)).toBe(
      'see\nhttps://example.org/a/b/c\nnow',
    );
  });

  it('shows a word when the next one begins, and the last one at the end of the line', () => {
    const wrap = createWordWrap(80);
    expect([wrap.push('The ret'), wrap.push('ry limit'), wrap.endLine()]).toEqual([
      ...['The', ' retry', ' limit'],
    ]);
    expect(createWordWrap(Number.POSITIVE_INFINITY).push('The ret')).toBe('The ret');
  });
});
