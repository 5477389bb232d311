import { describe, expect, it } from 'vitest';
import { replacePhrases } from './replace-phrases.ts';

describe('replacePhrases()', () => {
  it('puts the word for a turn of speech in its place, whatever its case', () => {
    expect(replacePhrases('How do I Get rid of a header?')).toBe('How do I remove a header?');
    expect(replacePhrases('when the token\nruns  out')).toBe('when the token\nexpire');
  });

  it('takes the longest turn', () => {
    expect(replacePhrases('strings turned back into bytes')).toBe('strings decode bytes');
    expect(replacePhrases('strings turned into bytes')).toBe('strings convert bytes');
  });

  it('leaves words alone that only contain one', () => {
    expect(replacePhrases('targets up')).toBe('targets up');
    expect(replacePhrases('a budget rid of it')).toBe('a budget rid of it');
  });
});
