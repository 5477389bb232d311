import { describe, expect, it } from 'vitest';
import { checkIdStart } from './ids-clock.ts';

describe('checkIdStart()', () => {
  it.each(['', ' ', '\t\n'])('refuses %j, and says where ids are', (start) => {
    expect(() => checkIdStart(start, 'dry run', 'cuervo apply --list')).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        message: 'the id of the dry run is empty',
        hint: 'See ids with: cuervo apply --list',
      }),
    );
  });

  it('takes the start of an id, however short', () => {
    checkIdStart('0', 'run', 'cuervo runs list');
  });
});
