import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../tests/support/runs.ts';
import { stemBeginning, stemWord } from './stem-word.ts';

describe('stemWord()', () => {
  it('makes the forms of a word alike', () => {
    for (const forms of [
      ['install', 'installs', 'installed', 'installing'],
      ['retries', 'retried', 'retrying', 'retry'],
      ['stop', 'stopped', 'stops'],
      ['class', 'classes'],
      ['make', 'making', 'makes'],
    ])
      expect(new Set(forms.map(stemWord)), forms.join(' ')).toHaveLength(1);
  });
});

describe('stemBeginning()', () => {
  it('is what each word of the stem begins with', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abeiostyng'),
      minLength: 1,
      maxLength: 5,
    });
    const ending = fc.constantFrom('', 's', 'es', 'ies', 'ed', 'ied', 'ing', 'ying', 'sses', 'y');
    fc.assert(
      fc.property(letters, ending, (start, end) => {
        const word = start + end;
        expect(word.startsWith(stemBeginning(stemWord(word)))).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });
});
