import { describe, expect, it } from 'vitest';
import { cutBlocks } from './cut-blocks.ts';

const body = (name: string, lines: number): string =>
  [`function ${name}() {`, ...Array.from({ length: lines - 2 }, () => '  work();'), '}'].join('\n');

describe('cutBlocks()', () => {
  it('begins a block where a definition follows an empty line', () => {
    const text = `${body('one', 9)}\n\n${body('two', 9)}`;
    expect(cutBlocks(text).map((block) => block.split('\n')[0])).toEqual([
      'function one() {',
      'function two() {',
    ]);
  });

  it('keeps short definitions together and cuts long ones', () => {
    expect(cutBlocks(`${body('a', 3)}\n\n${body('b', 3)}`)).toHaveLength(1);
    expect(cutBlocks(body('long', 65)).map((block) => block.split('\n').length)).toEqual([
      30, 30, 5,
    ]);
  });

  it('loses no line', () => {
    const text = `\n\n${body('a', 12)}\n\n\n  ${body('b', 40)}\n`;
    expect(cutBlocks(text).join('\n')).toBe(text);
    expect(cutBlocks('')).toEqual(['']);
  });
});
