import { expect } from 'vitest';
import { looking, running } from './guests/unserved-calls/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('program without a server for it', {
  denied: [
    'running a program is denied, also with a grant: this version runs none',
    async () => {
      for (const allow of [[], ['fs:work'], ['exec:sh', 'exec:inside.txt']]) {
        const ran = await installAndGo(place, await running(), 'unserved-calls', { allow });
        // 10 and the number of the case `denied`.
        expect(expectSuccess(ran)).toBe(10);
      }
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
