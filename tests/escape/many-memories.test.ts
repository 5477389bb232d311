import { expect } from 'vitest';
import { inOneModule, insisting } from './guests/many-memories/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

/** 256 pages of 64 KiB. */
const place = usePlace({ config: `[limits]\nmax-memory-bytes = ${256 * 65_536}\n` });
const go = async (file: string) => expectSuccess(await installAndGo(place, file, 'many-memories'));

escapeCase('many memories', {
  denied: [
    [
      'three modules that each want 100 pages do not get the limit each: refused with exit 6',
      async () => void (await expectRefused(place, await insisting(3, 100), /unreachable/)),
    ],
    [
      'nor do many small ones add up to more than the limit',
      async () => {
        expect(await go(await insisting(10, 10))).toBeLessThanOrEqual(256 - 10 * 10);
        await expectRefused(place, await insisting(150, 2), /memories|parts/);
      },
    ],
    [
      'a module with many memories is refused with exit 6',
      async () => void (await expectRefused(place, await inOneModule(8), /multiple memories/)),
    ],
  ],
  control: [
    'a single memory gets all of the limit, and side memories their share',
    async () => {
      expect(await go(await insisting(0, 0))).toBe(256);
      expect(await go(await insisting(3, 10))).toBeGreaterThan(150);
    },
  ],
});
