import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { watGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 4000\n',
  fill: async (made) => made.install(await watGuest('waitable-guest')),
});
const run = async (tool: string, input: unknown = {}) =>
  await place.run(`waitable-guest.${tool}`, input, { allow: [] });
const faults = async (tool: string, says: RegExp) =>
  expectFailure(place, await run(tool), { code: 'plugin-fault', exit: 6, says });
const endsInTime = async (tool: string, input: unknown) =>
  expectFailure(place, await run(tool, input), { code: 'deadline-exceeded', exit: 5 });
/** At the deadline, or where the memory of the process does before. */
const endsSomehow = async (tool: string): Promise<void> => {
  const { stdout, exitCode } = await run(tool, { count: 2 ** 32 - 1 });
  expect(stdout).toMatch(/no answer after 4000 ms|ran out of memory/);
  expect([5, 6]).toContain(exitCode);
};

escapeCase('more streams, sets and sleepers than anybody waits for', {
  denied: [
    ['streams', async () => await endsSomehow('streams')],
    ['sets', async () => await endsSomehow('sets')],
    ['members of one set', async () => await endsSomehow('joined')],
    ['sleepers', async () => await endsSomehow('sleepers')],
  ],
  control: [
    'some of each are given',
    async () => {
      for (const tool of ['streams', 'sets', 'joined', 'sleepers']) {
        expect(expectSuccess(await run(tool, { count: 100 }))).toBe(100);
      }
    },
  ],
});

escapeCase('ends of streams that are not there', {
  denied: [
    ['one that was dropped', async () => await faults('drop-twice', /missing stream end/)],
    ['one to write after its end', async () => await faults('write-after-drop', /missing stream/)],
    ['the other one', async () => await faults('write-to-readable', /invalid stream type/)],
    ['one that was made up', async () => await faults('forged', /missing stream end/)],
    [
      'one that gives what lies behind the memory',
      async () => await faults('write-behind-memory', /RangeError/),
    ],
  ],
  control: [
    'one that it was given may be dropped, or left alone',
    async () => {
      const bytes = Buffer.alloc(100_000).toString('base64');
      expect(expectSuccess(await run('drop', { bytes }))).toBe(7);
      expect(expectSuccess(await run('ignore', { bytes }))).toBe(7);
    },
  ],
});

escapeCase('what nobody writes or reads any more', {
  denied: [
    ['a stream ends at the deadline', async () => await endsInTime('silent', {})],
    ['a future ends at the deadline', async () => await endsInTime('never', {})],
  ],
  control: [
    'a call that leaves both open has its result',
    async () => expect(expectSuccess(await run('leave-open'))).toBe(1),
  ],
});

escapeCase('a trap with open streams', {
  denied: ['is a fault of that call', async () => await faults('trap-while-open', /unreachable/)],
  control: [
    'and the next call of the same process is as if it had not been',
    async () => {
      const tools = ['trap-while-open', 'drop', 'leave-open', 'streams'];
      const inputs = [{}, { bytes: 'AQID' }, {}, { count: 3 }];
      const names = tools.map((tool) => `waitable-guest.${tool}`);
      const ended = await runMany(place, names, inputs, []);
      expect(ended.map(({ exit, content }) => [exit, content])).toEqual([
        [6, undefined],
        [0, 7],
        [0, 1],
        [0, 3],
      ]);
    },
  ],
});
