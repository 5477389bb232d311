import { expect } from 'vitest';
import { inDescribe, inStart } from './guests/loop-at-start/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({ config: '[limits]\nstart-timeout-ms = 1500\n' });
const go = (file: string) => installAndGo(place, file, 'loop-at-start');

escapeCase('endless work before consent', {
  denied: [
    [
      'a start function that never ends is refused with exit 6 at the deadline',
      async () => void (await expectRefused(place, await inStart(), /not ready after 1500 ms/)),
    ],
    [
      'so is a describe that never ends',
      async () => void (await expectRefused(place, await inDescribe(), /1500 ms/)),
    ],
  ],
  control: [
    'both may compute for a while',
    async () => {
      expect(expectSuccess(await go(await inStart(100_000)))).toBe(1);
      expect(expectSuccess(await go(await inDescribe(100_000)))).toBe(1);
    },
  ],
});
