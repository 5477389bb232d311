import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { looking, removing } from './guests/unserved-calls/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('write through a root that may be read', {
  denied: [
    'removing a file is denied, also with a grant: this version serves no writes',
    async () => {
      for (const allow of [[], ['fs:work'], ['fs:work', 'fs-write:work']]) {
        const ran = await installAndGo(place, await removing(), 'unserved-calls', { allow });
        // 10 and the number of the case `denied`.
        expect(expectSuccess(ran)).toBe(10);
      }
      expect(existsSync(join(place.work, 'inside.txt'))).toBe(true);
    },
  ],
  control: [
    'a tool of the same effect looks at the same file',
    async () => {
      const ran = await installAndGo(place, await looking(), 'unserved-calls', {
        allow: ['fs:work'],
      });
      expect(expectSuccess(ran)).toBe(0);
      const without = await place.run('unserved-calls.go', {}, { allow: [] });
      expect(expectSuccess(without)).toBe(10);
    },
  ],
});
