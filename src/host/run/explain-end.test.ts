import { describe, expect, it } from 'vitest';
import { explainEnd } from './explain-end.ts';

describe('explainEnd()', () => {
  it.each([
    ['with code 1', 1, null],
    ['by SIGSEGV', null, 'SIGSEGV'],
    ['by SIGABRT', 134, null],
  ])('tells that it ended %s', (how, code, signal) => {
    const { message, hint } = explainEnd(code, signal, '');
    expect({ message, hint }).toEqual({
      message: `the plugin process ended ${how}`,
      hint: undefined,
    });
  });

  it.each([
    ['SIGKILL', null, 'SIGKILL'],
    ['SIGKILL', 137, null],
    ['SIGTERM', 143, null],
  ])('says of %s that it came from outside', (name, code, signal) => {
    expect(explainEnd(code, signal, '')).toMatchObject({
      code: 'plugin-fault',
      message: `the plugin process ended by ${name}`,
      hint: expect.stringMatching(/^Something other than cuervo ended it.* Run it again\.$/),
    });
  });

  it('says where the engine ran out of memory', () => {
    const said =
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
    expect(explainEnd(null, 'SIGTRAP', said).message).toBe(
      'the plugin process ended by SIGTRAP: it ran out of memory',
    );
  });
});
