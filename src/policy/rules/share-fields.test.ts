import { describe, expect, it } from 'vitest';
import { shareFields } from './parse-rules.ts';

const shared = {
  reader: { decision: 'allow', flags: '--help', without: ['^x'] },
  color: { optional: '--color' },
};
const refuse = (name: string): Error => new Error(name);

describe('shareFields()', () => {
  it('adds up options and tests, and keeps other fields of the rule', () => {
    const rule = { uses: 'reader color', decision: 'ask', flags: '-a', without: ['^y'] };
    expect(shareFields(rule, shared, refuse)).toEqual({
      decision: 'ask',
      flags: '-a --help',
      without: ['^y', '^x'],
      optional: '--color',
    });
  });

  it('leaves a rule that uses nothing as it is', () => {
    expect(shareFields({ flags: '-a' }, shared, refuse)).toEqual({ flags: '-a' });
  });

  it('refuses a name without a table, also one that every object has', () => {
    for (const uses of ['reader other', 'constructor', '__proto__']) {
      expect(() => shareFields({ uses }, shared, refuse), uses).toThrow(uses.split(' ').at(-1));
    }
  });

  it('leaves a value of the wrong kind to the check of the fields', () => {
    expect(shareFields({ uses: 'reader', flags: 1 }, shared, refuse)).toMatchObject({ flags: 1 });
  });
});
