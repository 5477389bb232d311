import { describe, expect, it } from 'vitest';
import { cutLines, maxLines } from './cut-lines.ts';

const text = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`).join('\n');

describe('cutLines()', () => {
  it('gives lines 5 to 7, with their numbers when asked', () => {
    expect(cutLines(text, { path: 'a', start: 5, end: 7 })).toEqual({
      start: 5,
      end: 7,
      totalLines: 10,
      lines: 'line 5\nline 6\nline 7',
    });
    expect(cutLines(text, { path: 'a', start: 5, end: 6, numbered: true }).lines).toBe(
      '5: line 5\n6: line 6',
    );
  });

  it('ends with the file, and counts no line behind a last line feed', () => {
    expect(cutLines('a\r\nb\n', { path: 'a', end: 99 })).toMatchObject({ end: 2, lines: 'a\nb' });
    expect(cutLines('', { path: 'a' })).toMatchObject({ totalLines: 0, lines: '' });
  });

  it('shows a file without its byte order mark, and with its lone \\r', () => {
    expect(cutLines('\uFEFFa\rb\nc', { path: 'a' })).toMatchObject({ end: 2, lines: 'a\rb\nc' });
  });

  it('names the numbers of a wrong range', () => {
    expect(() => cutLines(text, { path: 'a', start: 7, end: 5 })).toThrow('start 7 is after end 5');
    expect(() => cutLines(text, { path: 'a.ts', start: 11 })).toThrow('a.ts has 10 lines');
  });

  it('says how to go on when it left lines out', () => {
    const cut = cutLines('x\n'.repeat(maxLines + 5), { path: 'a' });
    expect(cut.end).toBe(maxLines);
    expect(cut.truncated).toContain(`start ${maxLines + 1}`);
  });
});
