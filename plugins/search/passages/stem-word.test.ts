import { describe, expect, it } from 'vitest';
import { stemWord } from './stem-word.ts';

describe('stemWord()', () => {
  it.each([
    ['parsing', 'parsed'],
    ['retries', 'retry'],
    ['stopped', 'stop'],
    ['serialised', 'serialize'],
    ['colour', 'color'],
    ['written', 'write'],
    ['compression', 'compressed'],
    ['files', 'file'],
    ['copied', 'copy'],
    ['deny', 'deny'],
    ['tries', 'try'],
    ['decision', 'decides'],
  ])('%s has a beginning in common with %s', (left, right) => {
    expect(stemWord(left).some((stem) => right.startsWith(stem))).toBe(true);
  });

  it.each(['string', 'class', 'status', 'key'])('leaves %s whole', (word) => {
    expect(stemWord(word)).toEqual([word]);
  });

  it('does not cut a word to fewer than three letters', () => {
    for (const word of ['used', 'ids', 'is', 'ring', 'does']) {
      expect(Math.min(...stemWord(word).map((stem) => stem.length))).toBeGreaterThanOrEqual(
        Math.min(3, word.length),
      );
    }
  });
});
