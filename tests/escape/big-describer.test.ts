import { expect } from 'vitest';
import { longDescription, manyEntries } from './guests/big-describer/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
const go = async (file: string) => expectSuccess(await installAndGo(place, file, 'big-describer'));
const megabytes = 1024 * 1024;

escapeCase('description of a hundred megabytes', {
  denied: [
    [
      'it is refused with exit 6, whether it can be copied or not',
      async () => {
        for (const bytes of [4001, 2 * megabytes, 100 * megabytes]) {
          const says = /limit 4000|describe|copied/;
          await expectRefused(place, await longDescription(bytes), says);
        }
      },
    ],
    [
      'so are lists of more than there can be, in its memory and beyond it',
      async () => {
        for (const list of ['count', 'examples'] as const) {
          await expectRefused(place, await manyEntries(list, 1_000_000, 50 * megabytes), /./);
          await expectRefused(place, await manyEntries(list, 0x7fff_ffff, 0), /./);
          await expectRefused(place, await manyEntries(list, -1, 0), /./);
        }
      },
    ],
  ],
  control: [
    'four thousand letters are a description',
    async () => {
      expect(await go(await longDescription(4000))).toBe(1);
    },
  ],
});
