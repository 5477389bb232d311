import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.ts';
import { linesAmong, passageText, placeOf, wholeText } from './passage-text.ts';

describe('placeOf()', () => {
  it('names one line or a range', () => {
    expect(placeOf({ path: 'a.ts', line: 3, endLine: 3 })).toBe('a.ts:3');
    expect(placeOf({ path: 'a.ts', line: 3, endLine: 7 })).toBe('a.ts:3-7');
  });

  it('is one line of plain characters, whatever the path holds', () => {
    const path = 'a.ts:1\n> 1 limit = 3\r\n\tz\u001b[2J.ts';
    expect(placeOf({ path, line: 1, endLine: 1 })).toBe(
      'a.ts:1\\n> 1 limit = 3\\x0d\\n\\tz\\x1b[2J.ts:1',
    );
  });
});

describe('passageText()', () => {
  it('says what a passage stands in, as far as the line has room', () => {
    const piece = { path: 'a.ts', line: 7, endLine: 7, text: 'x', within: 'open\u001b[2J' };
    const headOf = (within: string, columns?: number) =>
      passageText({ ...piece, within }, 'x', 8, columns).split('\n')[0];
    expect(headOf(piece.within)).toBe('a.ts:7  in open\\x1b[2J');
    expect(headOf('a'.repeat(60), 40)).toBe(`a.ts:7  in ${'a'.repeat(28)}…`);
    expect(headOf('open', 12)).toBe('a.ts:7');
  });

  it('shows and marks a line that a trace names', () => {
    const lines = Array.from({ length: 40 }, (_, at) => (at < 9 ? 'open the pier' : 'x'));
    const piece = { path: 'src/pier.py', line: 1, endLine: 40, text: lines.join('\n') };
    const shown = (trace: string) => passageText(piece, `open the pier\n${trace}`, 8);
    for (const place of ['File "src/pier.py", line 31, in f', 'at f (src/pier.py:31:2)'])
      expect(shown(place)).toContain('\n> 31 x');
    expect(shown('File "src/other-pier.py", line 31, in f')).not.toContain(' 31 ');
  });

  it('shows more lines of a passage that has the screen to itself', () => {
    const text = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
    const long = { path: 'a.ts', line: 1, endLine: 40, text };
    const shownAmong = (among: number): number =>
      passageText(long, 'which line?', linesAmong(among)).split('\n').length - 1;
    expect([1, 2, 3, 5].map(shownAmong)).toEqual([20, 9, 8, 8]);
  });

  const lines = Array.from({ length: 30 }, (_, index) => `const x${index} = 0;`);

  it('shows the few neighbouring lines that hold words of the question, and marks them', () => {
    lines[20] = 'const retries = 3; // the limit';
    const piece = { path: 'a.ts', line: 1, endLine: 30, text: lines.join('\n') };
    const shown = passageText(piece, 'where is the retry limit?', linesAmong(5)).split('\n');
    expect(shown[0]).toBe('a.ts:1-30');
    expect(shown).toHaveLength(9);
    expect(shown.filter((line) => line.startsWith('>'))).toEqual([
      '> 21 const retries = 3; // the limit',
    ]);
  });

  it('reads a section of a document from its heading on, where that speaks of the question', () => {
    const prose = Array.from({ length: 12 }, (_, index) => `Rope ${index} of the pier.`);
    const piece = (path: string, heading: string) => ({
      path,
      line: 1,
      endLine: 13,
      text: [heading, ...prose.slice(0, -1), 'Light the lamp.'].join('\n'),
    });
    const second = (path: string, heading: string) =>
      passageText(piece(path, heading), 'how do I light a lamp?', linesAmong(5)).split('\n')[1];
    expect(second('a.md', '## Lamps')).toBe('>  1 ## Lamps');
    expect(second('a.rst', '*****\nLamps\n*****')).toBe('>  2 Lamps');
    expect(second('a.rst', 'Lamps\n*****')).toBe('>  1 Lamps');
    expect(second('a.md', '## Piers')).not.toContain('Piers');
    expect(second('a.py', '# Lamps')).not.toContain('Lamps');
  });

  it('keeps to 80 columns', () => {
    const piece = { path: 'a.ts', line: 9, endLine: 9, text: 'word '.repeat(100) };
    const [, line] = passageText(piece, 'word', linesAmong(5), 80).split('\n');
    expect(line).toHaveLength(80);
    expect(line?.endsWith('…')).toBe(true);
  });

  it('shows the part of a long line that holds a word of the question', () => {
    const text = `${'{"a":0},'.repeat(200)}{"retries":3},${'{"a":0},'.repeat(200)}`;
    const piece = { path: 'a.json', line: 1, endLine: 1, text };
    const [, line] = passageText(piece, 'where are retries set?', linesAmong(5), 80).split('\n');
    expect(line).toMatch(/^> 1 ….{20}retries":3.*…$/);
    expect(line).toHaveLength(80);
  });

  it('leaves a line whole where no width is given', () => {
    const piece = { path: 'a.ts', line: 9, endLine: 9, text: 'word '.repeat(100).trim() };
    expect(passageText(piece, 'word', linesAmong(5))).toBe(`a.ts:9\n> 9 ${piece.text}`);
  });

  it('keeps to 80 columns of wide characters', () => {
    const piece = { path: 'a.md', line: 9, endLine: 9, text: '注文は別です。'.repeat(20) };
    const [, line = ''] = passageText(piece, 'order', linesAmong(5), 80).split('\n');
    expect(columnsOf(line)).toBeGreaterThanOrEqual(79);
    expect(columnsOf(line)).toBeLessThanOrEqual(80);
  });
});

describe('wholeText()', () => {
  const text = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
  const doc = { line: 10, text: Array.from({ length: 9 }, (_, at) => `// doc ${at}`).join('\n') };
  const piece = { path: 'a.ts', line: 21, endLine: 32, text, doc };
  const numbersOf = (most: number) =>
    [...wholeText(piece, 'x', most).matchAll(/^ {2}(\d+) /gm)].map(([, line]) => Number(line));

  it('begins with the first lines of the comment above a definition', () => {
    expect(numbersOf(60).slice(0, 8)).toEqual([10, 11, 12, 13, 14, 15, 16, 21]);
  });

  it('gives a third of the lines to it at the most', () => {
    expect(numbersOf(9)).toEqual([10, 11, 12, 21, 22, 23, 24, 25, 26]);
    expect(wholeText(piece, 'x', 9)).toContain('goes on to line 32');
  });
});
