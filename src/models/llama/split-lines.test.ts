import { describe, expect, it } from 'vitest';
import { splitLines } from './split-lines.ts';

function collect(maxChars: number, pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const push = splitLines(maxChars, (line) => lines.push(line));
  for (const piece of pieces) push(piece);
  return lines;
}

describe('splitLines()', () => {
  it('gives whole lines, however they arrive', () => {
    expect(collect(10, ['a', 'b\nc', '\n\n', 'd\ne'])).toEqual(['ab', 'c', 'd']);
  });

  it('gives one line that is too long, and then nothing', () => {
    expect(collect(4, ['abc', 'def', 'g\nh\n'])).toEqual(['abcdef']);
  });
});
