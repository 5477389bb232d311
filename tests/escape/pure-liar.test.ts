import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => made.install(await buildGuest('pure-liar'), ['fs:work', 'clock']),
});

escapeCase('tool above its declared effect', {
  denied: [
    [
      'a pure tool that reads ends with exit 3, although its plugin may read',
      async () => {
        const before = place.state();
        const ran = await place.run('pure-liar.peek', { path: 'inside.txt' }, { allow: [] });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /above the effect "pure"/,
        });
        expect(ran.stdout).not.toContain(place.inside);
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a pure tool that looks at the clock too',
      async () => {
        const ran = await place.run('pure-liar.time', {}, { allow: [] });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /clock\.now-ms is above/,
        });
      },
    ],
  ],
  control: [
    'the tool of the same plugin that says so reads, and knows the time',
    async () => {
      const ran = await place.run('pure-liar.read', { path: 'inside.txt' }, { allow: [] });
      expect(expectSuccess(ran)).toMatchObject({ text: `${place.inside}\n` });
    },
  ],
});
