import { describe, expect, it } from 'vitest';
import { replaceLines, replaceText } from './edit-text.ts';

describe('replaceText()', () => {
  it('replaces what stands there once', () => {
    const edit = { old: 'b\n', new: 'x\ny\n' };
    expect(replaceText('a\nb\nc\n', edit, 'f')).toEqual({ text: 'a\nx\ny\nc\n', count: 1 });
  });

  it('replaces each when all is said', () => {
    const edit = { old: '$&', new: '$1', all: true };
    expect(replaceText('$& and $&', edit, 'f')).toEqual({ text: '$1 and $1', count: 2 });
  });

  it('keeps the line ends of a file from Windows', () => {
    const edit = { old: 'a\nb', new: 'x\ny\nz' };
    expect(replaceText('a\r\nb\r\nc\r\n', edit, 'f').text).toBe('x\r\ny\r\nz\r\nc\r\n');
  });

  it.each([
    ['a text that is not there', 'a b', { old: 'c', new: 'd' }, 'not-found', /old is not in f$/],
    ['other white space', 'a\n  b', { old: 'a\n b', new: 'd' }, 'not-found', /other white space/],
    ['two places', 'a\nb\na\n', { old: 'a', new: 'c' }, 'conflict', /2 times in f, in lines 1, 3;/],
    ['nothing', 'a', { old: '', new: 'c' }, 'invalid-input', /old is empty/],
    ['no change', 'a', { old: 'a', new: 'a' }, 'invalid-input', /are the same/],
  ])('refuses %s', (_, text, edit, code, message) => {
    expect(() => replaceText(text, edit, 'f')).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

describe('replaceLines()', () => {
  const cases: [string, string, number, number, string, string][] = [
    ['a line', 'a\nb\nc\n', 2, 2, 'x', 'a\nx\nc\n'],
    ['several', 'a\nb\nc\n', 1, 2, 'x\ny\nz', 'x\ny\nz\nc\n'],
    ['to the end', 'a\nb\n', 2, 2, 'x', 'a\nx\n'],
    ['the end of a file without a line feed', 'a\nb', 2, 2, 'x', 'a\nx'],
    ['lines by nothing', 'a\nb\nc\n', 2, 3, '', 'a\n'],
    ['before a line', 'a\nb\n', 2, 1, 'x', 'a\nx\nb\n'],
    ['before the first', 'a\n', 1, 0, 'x\n', 'x\na\n'],
    ['behind the last', 'a\n', 2, 1, 'x', 'a\nx\n'],
    ['behind a last one without a line feed', 'a', 2, 1, 'x', 'a\nx'],
    ['into an empty file', '', 1, 0, 'x', 'x\n'],
    ['with the line ends of Windows', 'a\r\nb\r\n', 2, 2, 'x\ny', 'a\r\nx\r\ny\r\n'],
    ['a line that holds a lone \\r', 'a\rb\nc\n', 1, 1, 'x', 'x\nc\n'],
    ['the one line of a text with \\r alone', 'a\rb\r', 1, 1, 'x', 'x'],
    ['a line that ends with \\r\\n among others', 'a\nb\r\nc', 2, 2, 'x', 'a\nx\r\nc'],
    ['behind a byte order mark', '\uFEFFa\nb\n', 1, 1, 'x', '\uFEFFx\nb\n'],
    ['before the first, behind the mark', '\uFEFFa\n', 1, 0, 'x', '\uFEFFx\na\n'],
  ];
  it.each(cases)('replaces %s', (_, text, start, end, lines, expected) => {
    expect(replaceLines(text, { start, end, lines }, 'f')).toBe(expected);
  });

  it.each([
    [2, 5, 'f has 3 lines, so it has no lines 2 to 5'],
    [5, 4, 'f has 3 lines, so it has no line 5'],
  ])('refuses %i to %i of three lines', (start, end, message) => {
    expect(() => replaceLines('a\nb\nc\n', { start, end, lines: 'x' }, 'f')).toThrow(
      expect.objectContaining({ code: 'invalid-input', message }),
    );
  });
});
