import { expect } from 'vitest';
import { describeReaches } from './guests/describe-reaches/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
const go = async (allow: string[]) =>
  expectSuccess(await installAndGo(place, await describeReaches(), 'describe-reaches', { allow }));

escapeCase('host call in describe', {
  denied: [
    'outside of a call it gets an error, whatever is granted',
    async () => {
      // 5, then describe, then call: 1 is an error, 0 is the time.
      expect(String(await go(['clock']))[1]).toBe('1');
      expect(await go([])).toBe(511);
    },
  ],
  control: [
    'the same host call in the same instance succeeds inside of a call',
    async () => expect(String(await go(['clock']))[2]).toBe('0'),
  ],
});
