import { expect } from 'vitest';
import { different, instantiated, wrapped } from './guests/module-twice/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

/** 80 pages of 64 KiB: room for two memories of 30. */
const place = usePlace({ config: `[limits]\nmax-memory-bytes = ${80 * 65_536}\n` });
const go = (file: string) => installAndGo(place, file, 'module-twice');

escapeCase('module instantiated many times', {
  denied: [
    [
      'a core module that is instantiated twice is refused with exit 6',
      async () =>
        void (await expectRefused(place, await instantiated(2), /instantiated more than once/)),
    ],
    [
      'a component around it too',
      async () =>
        void (await expectRefused(place, await wrapped(3), /instantiated more than once/)),
    ],
    [
      'three modules that together need more than the limit too',
      async () => void (await expectRefused(place, await different(3), /memories need \d+ bytes/)),
    ],
  ],
  control: [
    'once each, within the limit, they run',
    async () => {
      expect(expectSuccess(await go(await instantiated(1)))).toBe(1);
      expect(expectSuccess(await go(await wrapped(1)))).toBe(1);
      expect(expectSuccess(await go(await different(2)))).toBe(1);
    },
  ],
});
