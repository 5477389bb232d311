import { describe, expect, it } from 'vitest';
import { stdinEvidence } from './stdin-evidence.ts';

describe('stdinEvidence()', () => {
  it('keeps all of a short text, with its line numbers', () => {
    expect(stdinEvidence('one\ntwo\n', 'what is it?')).toEqual([
      { path: 'standard input', line: 1, endLine: 2, text: 'one\ntwo', score: 1000 },
    ]);
  });

  it('leads with the piece of a long text that holds rare words of the question', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `the limit of row ${index}`);
    lines[33_333] = 'the retry limit is 7';
    const [first, ...rest] = stdinEvidence(lines.join('\n'), 'what is the retry limit?');
    expect(first?.text).toContain('the retry limit is 7');
    expect(first?.line).toBe(33_331);
    const characters = [first, ...rest].reduce((sum, piece) => sum + (piece?.text.length ?? 0), 0);
    expect(characters).toBeLessThanOrEqual(24_000);
  });

  it('finds nothing in a text of blanks', () => {
    expect(stdinEvidence('\n \n', 'what?')).toEqual([]);
  });
});
