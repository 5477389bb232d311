import { expect } from 'vitest';
import { withExport } from './guests/odd-exports/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('unexpected exports', {
  denied: [
    [
      'names that mean something to the code around a component mean nothing there',
      async () => {
        for (const name of ['then', 'constructor', 'to-string', 'default', 'get-URL', 'a-b-c']) {
          const ran = await installAndGo(place, await withExport(name), 'odd-exports');
          expect(expectSuccess(ran)).toBe(1);
        }
      },
    ],
    [
      '`init` is never called: it would trap',
      async () => {
        const ran = await installAndGo(place, await withExport('init'), 'odd-exports');
        expect(expectSuccess(ran)).toBe(1);
      },
    ],
  ],
  control: [
    'an export of any other name does no harm',
    async () => {
      const ran = await installAndGo(place, await withExport('run-now'), 'odd-exports');
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});
