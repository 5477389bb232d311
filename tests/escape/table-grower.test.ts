import { expect } from 'vitest';
import { growTable } from './guests/table-grower/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
const go = (file: string) => installAndGo(place, file, 'table-grower');

escapeCase('table growth', {
  denied: [
    [
      'a table grows to a million elements and no further',
      async () => {
        const size = expectSuccess(await go(await growTable()));
        expect(size).toBeLessThanOrEqual(1_000_000);
        expect(size).toBeGreaterThan(900_000);
      },
    ],
    [
      'two million at once are not given: the guest that insists traps with exit 6',
      async () => {
        const ran = await go(await growTable(2_000_000));
        expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says: /trapped/ });
      },
    ],
  ],
  control: [
    'ten thousand are given',
    async () => expect(expectSuccess(await go(await growTable(10_000)))).toBe(10_001),
  ],
});
