import { describe, expect, it } from 'vitest';
import { parseRejections } from './parse-frame.ts';

describe('parseRejections()', () => {
  it('splits what was rejected from what a tool says', () => {
    const rejected = ['a "b"] [bundle 1:2]', 'x [rejected ["y"]]'];
    expect(parseRejections(`one [rejected ${JSON.stringify(rejected.slice(0, 1))}]`)).toEqual({
      said: 'one',
      rejected: rejected.slice(0, 1),
    });
    expect(parseRejections(' [rejected ["a"]]')).toEqual({ said: '', rejected: ['a'] });
  });

  it.each([
    'one',
    'one [bundle 1:2]',
    'one [rejected [1]]',
    'one [rejected ["a"]] two',
    'one [rejected ["a]]',
    `one [rejected ${JSON.stringify(Array(7).fill('a'))}]`,
  ])('leaves the words of a tool: %s', (text) => {
    expect(parseRejections(text)).toEqual({ said: text, rejected: [] });
  });
});
