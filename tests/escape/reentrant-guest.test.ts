import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { watGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await watGuest('reentrant-guest')) });
const tools = ['at-once', 'later', 'down'].map((name) => `reentrant-guest.${name}`);

escapeCase('part that calls back into the one that called it', {
  denied: [
    'at once or out of a callback: it is a fault, and nothing of it is left in the next call',
    async () => {
      const [atOnce, later, down] = await runMany(place, tools, [{}, {}, {}], []);
      expect([atOnce, later]).toMatchObject([
        { exit: 6, code: 'plugin-fault' },
        { exit: 6, code: 'plugin-fault' },
      ]);
      expect(down).toMatchObject({ exit: 0, content: 1 });
    },
  ],
  control: [
    'a callback that calls down has its result',
    async () => {
      const ended = await runMany(place, tools.slice(2), [{}], []);
      expect(ended).toMatchObject([{ exit: 0, content: 1 }]);
    },
  ],
});
