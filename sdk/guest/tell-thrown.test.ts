import { describe, expect, it } from 'vitest';
import { tellThrown } from './tell-thrown.ts';

const withStack = (error: Error, stack: string): Error => Object.assign(error, { stack });

describe('tellThrown()', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  it.each([
    ['a text', 'bad luck', 'bad luck'],
    ['an empty text', '', '"run" threw an empty text'],
    ['nothing', undefined, '"run" threw undefined'],
    ['null', null, '"run" threw null'],
    ['a number', 5, '"run" threw a number: 5'],
    ['an object', { a: 1 }, '"run" threw an object: {"a":1}'],
    ['an object with a message', { message: 'no' }, '"run" threw an object: no'],
    ['a cycle', cycle, '"run" threw an object: [object Object]'],
    [
      'an object that cannot be shown',
      Object.create(null, { toJSON: { value: () => undefined } }),
      'it cannot be shown',
    ],
    [
      'an error without a message',
      withStack(new Error(), ''),
      '"run" threw Error without a message',
    ],
    [
      'a kind of error',
      withStack(new TypeError('x is not a function'), ''),
      'TypeError: x is not a function',
    ],
    [
      'an error with a cause',
      withStack(new Error('no', { cause: new Error('disk') }), ''),
      'no (because: disk)',
    ],
  ])('tells of %s', (_, thrown, told) => {
    expect(tellThrown(thrown)).toContain(told);
  });

  it('adds the places of the bundle, for the host to name', () => {
    const stack =
      '    at go (componentize-qjs:user.js:12:3)\n    at call (componentize-qjs:user.js:40:9)\n';
    expect(tellThrown(withStack(new Error('no'), stack))).toBe('no [bundle 12:3 40:9]');
  });
});
