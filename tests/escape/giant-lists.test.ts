import { expect } from 'vitest';
import { failureAt, resultAt, sameText } from './guests/giant-lists/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
const go = (file: string, allow: string[] = []) =>
  installAndGo(place, file, 'giant-lists', { allow });

escapeCase('results that are not there', {
  denied: [
    [
      'an address or a length outside of the memory is a trap, exit 6',
      async () => {
        for (const [address, length] of [
          [0, -1],
          [-1, 16],
          [131_060, 100],
          [2_147_483_647, 2_147_483_647],
        ] as const) {
          const ran = await go(await resultAt(address, length));
          expectFailure(place, ran, { code: 'plugin-fault', exit: 6 });
        }
      },
    ],
    [
      'an error case that there is not is a trap too',
      async () =>
        expectFailure(place, await go(await failureAt(99, 4096, 1)), {
          code: 'plugin-fault',
          exit: 6,
        }),
    ],
    [
      'two hundred megabytes of text end with exit 5',
      async () => {
        const ran = await go(await resultAt(65_536, 200 * 1024 * 1024, 3300));
        expectFailure(place, ran, {
          code: 'resource-exhausted',
          exit: 5,
          says: /hands over more than 67108864 bytes at once/,
        });
      },
    ],
  ],
  control: [
    'a text that is there is a result, an error that there is too',
    async () => {
      expect(expectSuccess(await go(await resultAt(65_536, 5)))).toBe('xxxxx');
      expectFailure(place, await go(await failureAt(0, 4096, 0)), {
        code: 'invalid-argument',
        exit: 2,
      });
    },
  ],
});

escapeCase('list of one text a million times', {
  denied: [
    'copied out it would fill the machine: it is counted before it is copied, exit 5',
    async () => {
      const ran = await go(await sameText(100_000, 500_000), ['fs:work']);
      const says = /more than 67108864 bytes at once/;
      expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says });
      expect(expectSuccess(await go(await sameText(3, 12), ['fs:work']))).toBe(0);
    },
  ],
  control: [
    'a hundred short ones are patterns',
    async () => expect(expectSuccess(await go(await sameText(100, 20), ['fs:work']))).toBe(0),
  ],
});
