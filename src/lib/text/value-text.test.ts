import { describe, expect, it } from 'vitest';
import { valueText } from './value-text.ts';

describe('valueText()', () => {
  it('writes a list of objects as a table, and other lists as lines', () => {
    expect(
      valueText(
        [
          { name: 'a', size: 12 },
          { name: 'long', size: 3 },
        ],
        80,
      ),
    ).toBe('name  size\na     12\nlong  3');
    expect(valueText(['a', 2, true, null], 80)).toBe('a\n2\ntrue\n');
  });

  it('writes an object as names with values, with its lists and texts below their name', () => {
    expect(valueText({ words: 3, none: [], rows: [{ a: 1 }], text: 'one\ntwo' }, 80)).toBe(
      'words: 3\nnone: none\nrows:\na\n1\ntext:\none\ntwo',
    );
  });

  it('gives a terminal nothing to obey', () => {
    const text = valueText({ 'a\u001b[2J': '\u001b]0;x\u0007', b: ['\r\u001b[1A'] }, 80);
    for (const control of ['\u001b', '\u0007', '\r']) expect(text).not.toContain(control);
  });

  it('makes no table of rows that have many different fields', () => {
    const rows = Array.from({ length: 500 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${row}-${at}`, 1])),
    );
    expect(valueText(rows, 80).split('\n')).toHaveLength(500);
  });
});
