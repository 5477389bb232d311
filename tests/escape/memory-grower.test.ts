import { expect } from 'vitest';
import { growBy, growToTheEnd, startWith } from './guests/memory-grower/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import {
  expectFailure,
  expectRefused,
  expectSuccess,
  installAndGo,
  usePlace,
} from './support/place.ts';

/** 64 pages of 64 KiB. */
const place = usePlace({ config: `[limits]\nmax-memory-bytes = ${64 * 65_536}\n` });
const go = (file: string) => installAndGo(place, file, 'memory-grower');

escapeCase('memory growth', {
  denied: [
    [
      'one page above the limit is not given, and the guest that insists traps with exit 6',
      async () => {
        const ran = await go(await growBy(64));
        expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says: /trapped.*unreachable/ });
      },
    ],
    [
      'growing to the end ends at the limit, written to the last page',
      async () => expect(expectSuccess(await go(await growToTheEnd()))).toBe(64),
    ],
    [
      'a memory that starts above the limit is refused with exit 6',
      async () =>
        void (await expectRefused(
          place,
          await startWith(65),
          /4259840 bytes to start with, limit 4194304/,
        )),
    ],
  ],
  control: [
    'up to the limit it is given, by growing or from the start',
    async () => {
      expect(expectSuccess(await go(await growBy(63)))).toBe(64);
      expect(expectSuccess(await go(await startWith(64)))).toBe(64);
    },
  ],
});
