import { expect } from 'vitest';
import { withExport } from './guests/odd-exports/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('unexpected exports', {
  denied: [
    [
      'names that mean something to the code around a component are refused with exit 6',
      async () => {
        for (const name of ['then', 'constructor', 'to-string', 'has-own-property', 'default']) {
          await expectRefused(place, await withExport(name), /means something/);
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
