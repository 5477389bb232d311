import { expect } from 'vitest';
import { afterwards } from './guests/late-trapper/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({ config: '[limits]\ncall-timeout-ms = 2000\n' });
const go = async (body: string) => installAndGo(place, await afterwards(body), 'late-trapper');

escapeCase('trap behind the result', {
  denied: [
    [
      'a guest that traps once its result was taken has given none',
      async () => {
        const ran = await go('unreachable');
        expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says: /trapped/ });
      },
    ],
    [
      'one that never comes back ends at the deadline',
      async () => {
        const ran = await go('(loop $more (br $more))');
        expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5 });
      },
    ],
    [
      'one that asks for memory for ever gets none above the limit, and ends there, too',
      async () => {
        const ran = await go('(loop $more (drop (memory.grow (i32.const 64))) (br $more))');
        expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5 });
      },
    ],
  ],
  control: [
    'one that cleans up has given its result',
    async () => expect(expectSuccess(await go('nop'))).toBe(7),
  ],
});
