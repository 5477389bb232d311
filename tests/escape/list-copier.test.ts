import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { listCopier } from './guests/list-copier/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => {
    const bytes = readFileSync(await listCopier());
    await made.install(put(made.dir, 'list-copier.wasm', bytes));
  },
});

escapeCase('result of one megabyte many times', {
  denied: [
    'three hundred of the same bytes or text are counted before they are copied, exit 5',
    async () => {
      for (const tool of ['bytes', 'texts']) {
        const ran = await place.run(`list-copier.${tool}`, { count: 300 });
        const says = /more than 67108864 bytes at once/;
        expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says });
      }
    },
  ],
  control: [
    'none of them is a list',
    async () => {
      for (const tool of ['bytes', 'texts']) {
        expect(expectSuccess(await place.run(`list-copier.${tool}`, { count: 0 }))).toEqual([]);
      }
    },
  ],
});
