import { expect } from 'vitest';
import { withMemory } from './guests/memory-forms/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('memories of other forms', {
  denied: [
    [
      'a 64-bit memory is refused with exit 6',
      async () =>
        void (await expectRefused(place, await withMemory('i64 1'), /64-bit memory|memory64/)),
    ],
    [
      'a shared memory too',
      async () =>
        void (await expectRefused(place, await withMemory('1 2 shared'), /shared memory|threads/)),
    ],
  ],
  control: [
    'an ordinary memory in the same place is taken',
    async () => {
      const ran = await installAndGo(place, await withMemory('1 2'), 'memory-forms');
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});
