import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string, void, undefined> {
  yield* texts;
}

async function linesOf(max: number, ...texts: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(pieces(...texts), max)) lines.push(line);
  return lines;
}

describe('readLines()', () => {
  it('puts lines together that come in pieces', async () => {
    expect(await linesOf(9, 'on', 'e\n\ntw', 'o\nthree')).toEqual(['one', '', 'two', 'three']);
    expect(await linesOf(9, 'one\n')).toEqual(['one']);
    expect(await linesOf(9)).toEqual([]);
  });

  it('gives a line without an end cut, and reads nothing after it', async () => {
    expect(await linesOf(3, 'abc\nab', 'cd', 'never', '\nread')).toEqual(['abc', 'abcd']);
  });
});
