import { describe, expect, it } from 'vitest';
import { asOfText, givenPieces } from './given-pieces.ts';

describe('asOfText()', () => {
  const trace = Array.from({ length: 40 }, (_, at) => `  at lamp.burn (lamp.ts:${at})`).join('\n');

  it('takes a long text for the question where that says little', () => {
    expect(asOfText('why does this fail?', trace)).toBe(trace);
    expect(asOfText('what is wrong?', trace)).toBe(trace);
    const long = asOfText('why does this fail?', `${trace}\n`.repeat(100));
    expect(long?.length).toBeLessThanOrEqual(32_768);
  });

  it('keeps a question that says what is wanted, and a text that is seen at once', () => {
    expect(asOfText('which limits does this change?', trace)).toBeUndefined();
    expect(asOfText('what does the harbour lamp do with oil?', trace)).toBeUndefined();
    expect(asOfText('why does this fail?', 'one\ntwo')).toBeUndefined();
  });
});

describe('givenPieces()', () => {
  it('keeps all of a short text, with its line numbers', () => {
    expect(givenPieces('one\ntwo\n', 'what is it?')).toEqual([
      { path: 'standard input', line: 1, endLine: 2, text: 'one\ntwo', score: 1000 },
    ]);
  });

  it('leads with the piece of a long text that holds rare words of the question', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `the limit of row ${index}`);
    lines[33_333] = 'the retry limit is 7';
    const [first, ...rest] = givenPieces(lines.join('\n'), 'what is the retry limit?');
    expect(first?.text).toContain('the retry limit is 7');
    expect(first?.line).toBe(33_331);
    const characters = [first, ...rest].reduce((sum, piece) => sum + (piece?.text.length ?? 0), 0);
    expect(characters).toBeLessThanOrEqual(24_000);
  });

  it('finds nothing in a text of blanks', () => {
    expect(givenPieces('\n \n', 'what?')).toEqual([]);
  });
});
