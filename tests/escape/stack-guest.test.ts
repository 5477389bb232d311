import { expect } from 'vitest';
import { watGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 4000\n',
  fill: async (made) => made.install(await watGuest('stack-guest')),
});
const run = async (tool: string, input: unknown = {}) =>
  await place.run(`stack-guest.${tool}`, input, { allow: [] });

escapeCase('calls of one part by another that stand still', {
  denied: [
    [
      'any number of them ends at the deadline, or where the memory of the process does',
      async () => {
        const { stdout, exitCode } = await run('hold', { count: 2 ** 32 - 1 });
        expect(stdout).toMatch(/no answer after 4000 ms|ran out of memory/);
        expect([5, 6]).toContain(exitCode);
      },
    ],
    [
      'a stack without an end is a fault',
      async () => {
        const says = /Maximum call stack size exceeded/;
        expectFailure(place, await run('deep'), { code: 'plugin-fault', exit: 6, says });
      },
    ],
  ],
  control: [
    'a thousand may wait, and one that is answered later, or at once, is answered',
    async () => {
      expect(expectSuccess(await run('hold', { count: 1000 }))).toBe(1000);
      expect(expectSuccess(await run('ask'))).toBe(7);
      expect(expectSuccess(await run('relay'))).toBe(1);
    },
  ],
});
