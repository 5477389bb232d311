import { expect } from 'vitest';
import { defaultLimits } from '../../src/host/limits.ts';
import { asyncGuest } from './guests/async-guest/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 4000\n',
  fill: async (made) => made.install(await asyncGuest()),
});
const run = async (tool: string, input: unknown = {}) =>
  await place.run(`async-guest.${tool}`, input, { allow: [] });

escapeCase('streams without an end', {
  denied: [
    [
      'one that is written for ever ends at the limit of a result',
      async () => {
        const says = /it streams more than 1048576 items \(limits\.max-result-bytes\)/;
        expectFailure(place, await run('endless'), { code: 'resource-exhausted', exit: 5, says });
      },
    ],
    [
      'one that nobody goes on writing ends at the deadline',
      async () => expectFailure(place, await run('silent'), { code: 'deadline-exceeded', exit: 5 }),
    ],
  ],
  control: [
    'one with an end is given whole, both ways',
    async () => {
      expect(expectSuccess(await run('count', { to: 3 }))).toEqual([0, 1, 2]);
      expect(expectSuccess(await run('sum', { bytes: [1, 2, 3] }))).toBe(6);
    },
  ],
});

escapeCase('promises that are never kept', {
  denied: [
    [
      'one that waits for nothing is told at once',
      async () => {
        const says = /exited without resolution|nothing can bring/;
        expectFailure(place, await run('never'), { code: 'plugin-fault', exit: 6, says });
      },
    ],
    [
      'one that takes turns for ever ends at the deadline',
      async () => expectFailure(place, await run('spin'), { code: 'deadline-exceeded', exit: 5 }),
    ],
  ],
  control: [
    'one that takes many turns answers',
    async () => expect(expectSuccess(await run('linger'))).toBe(2),
  ],
});

escapeCase('memory that grows between two turns', {
  denied: [
    'it has the limit of every memory',
    async () => {
      const mebibytes = Number(expectSuccess(await run('swell')));
      expect(mebibytes).toBeGreaterThan(32);
      expect(mebibytes * 1_048_576).toBeLessThan(defaultLimits.maxMemoryBytes);
    },
  ],
  control: [
    'a reader may stop in the middle of a stream',
    async () => {
      const bytes = Buffer.alloc(300_000, 1).toString('base64');
      expect(expectSuccess(await run('break-off', { bytes }))).toBe(true);
    },
  ],
});
