import { expect } from 'vitest';
import { withFunction, withLog } from './guests/prototype-calls/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('functions that every object has', {
  denied: [
    'an interface does not offer them: what asks for one is refused with exit 6',
    async () => {
      for (const name of [
        'constructor',
        'to-string',
        'has-own-property',
        'value-of',
        'erase-all',
      ]) {
        await expectRefused(
          place,
          await withFunction(name),
          /describe\(\) failed|does not load: \w+Error: /,
        );
      }
    },
  ],
  control: [
    'a function that the interface has is called',
    async () => {
      const ran = await installAndGo(place, await withLog(), 'prototype-calls');
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});
