import { expect } from 'vitest';
import { readUnits } from './guests/half-surrogates/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, installAndGo, put, usePlace } from './support/place.ts';

const place = usePlace({
  fill: (made) => {
    put(made.work, '🐦', made.inside);
  },
});
const read = async (units: readonly number[]) =>
  expectSuccess(
    await installAndGo(place, await readUnits(units), 'half-surrogates', { allow: ['fs:work'] }),
  );

escapeCase('half a surrogate pair from a UTF-16 guest', {
  denied: [
    'it names no file: what comes across is the replacement character',
    async () => {
      // 10 and the number of the case `not-found`.
      expect(await read([0xd83d])).toBe(11);
      expect(await read([0xdc26, 0xd83d])).toBe(11);
    },
  ],
  control: [
    'the whole pair is a name',
    async () => {
      expect(await read([0xd83d, 0xdc26])).toBe(0);
    },
  ],
});
