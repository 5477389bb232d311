import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSlips, didYouMean } from './did-you-mean.ts';

describe('didYouMean()', () => {
  it.each([
    ['md-metta', ['md-meta', 'csv-kit'], ' (Did you mean md-meta?)'],
    ['MD-Meta', ['md-meta'], ' (Did you mean md-meta?)'],
    ['search.gerp', ['search.grep', 'search.files'], ' (Did you mean search.grep?)'],
    ['cat', ['car', 'cab', 'dog'], ' (Did you mean one of cab, car?)'],
    ['weather', ['search', 'file'], ''],
    ['go', ['at'], ''],
    ['x'.repeat(100_000), ['search'], ''],
    ['search', [], ''],
  ])('says of %s among %j', (typed, names, says) => {
    expect(didYouMean(typed, names)).toBe(says);
  });

  /** What the library of the command line says of a word that is none of its commands. */
  function saidByCommander(typed: string, names: readonly string[]): string {
    const program = new Command('x').exitOverride().configureOutput({ writeErr: () => {} });
    for (const name of names) program.command(name);
    program.helpCommand(false);
    try {
      program.parse([typed], { from: 'user' });
      return '';
    } catch (thrown) {
      return (thrown as Error).message
        .replace(/^.*?'\n?/s, '')
        .replace(/^.*?(?=\n|$)/, '')
        .trim();
    }
  }

  it('says what the command line says of its own words', () => {
    const name = fc.stringMatching(/^[a-d]{2,7}$/);
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), (typed, names) => {
        fc.pre(!names.includes(typed));
        expect(didYouMean(typed, names).trim()).toBe(saidByCommander(typed, names));
      }),
    );
  });
});

it('countSlips() counts two neighbours that changed places once', () => {
  expect(countSlips('serach', 'search')).toBe(1);
  expect(countSlips('search', 'search')).toBe(0);
  expect(countSlips('', 'abc')).toBe(3);
});
