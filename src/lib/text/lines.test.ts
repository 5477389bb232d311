import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines as ofPlugin } from '../../../plugins/file/cut-lines.ts';
import { chunkText } from '../../memory/texts.ts';
import { readLines, splitLines } from './decode-text.ts';

const part = fc.constantFrom(
  'a',
  'b',
  '\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u2029',
  '\u0085',
  '\f',
  '\0',
);
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

it('splitLines() ends a line where there is a line feed, and nowhere else', () => {
  fc.assert(
    fc.property(text, (sample) => {
      const lines = splitLines(sample);
      const feeds = sample.split('\n').length - 1;
      expect(lines).toHaveLength(sample === '' || sample.endsWith('\n') ? feeds : feeds + 1);
      // What is taken away is the line end alone.
      const left = sample.replaceAll('\r\n', '\n').replace(/\n$/, '');
      expect(lines.join('\n')).toBe(left);
    }),
  );
});

it('splitLines() is the same in tools of files and in pieces of an index', () => {
  fc.assert(
    fc.property(text, (sample) => {
      const lines = splitLines(sample);
      expect(ofPlugin(sample)).toEqual(lines);
      for (const { startLine, endLine, text } of chunkText(sample, 'text'))
        expect(lines.slice(startLine - 1, endLine).join('\n')).toBe(text);
    }),
  );
});

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
