import { describe, expect, it } from 'vitest';
import { programWords } from './program-words.ts';
import { stemWord } from './stem-word.ts';

describe('programWords()', () => {
  it('gives the words of programs for one of everyday speech, whatever its form', () => {
    expect(programWords(stemWord('refuses'))).toEqual(
      expect.arrayContaining(['reject', 'deny', 'throw']),
    );
  });

  it('works one way only', () => {
    expect(programWords(stemWord('unintended'))).toEqual([]);
  });
});
