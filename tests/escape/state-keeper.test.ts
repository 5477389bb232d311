import { expect } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await buildGuest('state-keeper')) });

type Heard = { kept: string[]; stash: string[]; poisoned: string | null };

escapeCase('state left for the next call', {
  denied: [
    [
      'five calls of one plugin process, each finds nothing of the one before',
      async () => {
        await using kernel = await openKernel({ home: place.home, workspace: place.work });
        for (let round = 0; round < 5; round += 1) {
          const words = [`word-${round}`];
          const results: Heard[] = [];
          for await (const event of kernel.run('state-keeper.hear', { words })) {
            if (event.type === 'result') results.push(JSON.parse(event.content) as Heard);
          }
          expect(results).toEqual([{ kept: words, stash: words, poisoned: null }]);
        }
      },
    ],
    [
      'nor does a second run from the command line',
      async () => {
        for (const word of ['one', 'two']) {
          const ran = await place.run('state-keeper.hear', { words: [word] });
          expect(expectSuccess(ran)).toEqual({ kept: [word], stash: [word], poisoned: null });
        }
      },
    ],
  ],
  control: [
    'within one call it does keep what it hears',
    async () => {
      const ran = await place.run('state-keeper.hear', { words: ['a', 'b', 'c'] });
      expect(expectSuccess(ran)).toMatchObject({ kept: ['a', 'b', 'c'], stash: ['a', 'b', 'c'] });
    },
  ],
});
