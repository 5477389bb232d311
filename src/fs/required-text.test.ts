import { describe, expect, it } from 'vitest';
import { requiredText } from './required-text.ts';

const required = (pattern: string) => requiredText({ pattern, literal: false });

describe('requiredText()', () => {
  it.each([
    ['retry', 'retry'],
    ['^\\bretry\\b$', 'retry'],
    ['load\\w+Cache', { all: ['load', 'Cache'] }],
    ['ab+c', { all: ['ab', 'c'] }],
    ['abc?d', { any: ['abd', 'abcd'] }],
    ['ab[_-]?c', { any: ['abc', 'ab_c', 'ab-c'] }],
    ['ab[_-]+c', { all: [{ any: ['ab_', 'ab-'] }, 'c'] }],
    ['ab[a-z]c', { all: ['ab', 'c'] }],
    ['abc*', 'ab'],
    ['abc?', { any: ['ab', 'abc'] }],
    ['ab{0,3}c', { all: ['a', 'c'] }],
    ['one|two', { any: ['one', 'two'] }],
    ['(?:one|two)end', { all: [{ any: ['one', 'two'] }, 'end'] }],
    ['x(?:one|two)*y', { all: ['x', 'y'] }],
    ['foo(?!bar)', 'foo'],
    ['(?<=pre)foo', 'foo'],
    ['a\\(b', 'a(b'],
  ])('%s', (pattern, wanted) => expect(required(pattern)).toEqual(wanted));

  it.each(['\\w+', 'one|\\d', '(?:one)?', '(?:one|)', '', '.', '(?i:one)'])(
    'knows nothing of %s',
    (pattern) => expect(required(pattern)).toBeUndefined(),
  );

  it('takes a literal as it is', () => {
    expect(requiredText({ pattern: 'a|b', literal: true })).toBe('a|b');
  });
});
