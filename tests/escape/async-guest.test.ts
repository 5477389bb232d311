import { expect } from 'vitest';
import { defaultLimits } from '../../src/host/limits.ts';
import { asyncGuest } from './guests/async-guest/guest.ts';
import { isRunning, whenBusy, whenQuiet } from './support/descendants.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, type Place, usePlace } from './support/place.ts';

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 4000\n',
  fill: async (made) => made.install(await asyncGuest()),
});
/** No sandbox of the system, which would end its processes with cuervo. */
const plain = usePlace({
  config: '[plugins]\nsandbox = "none"\n',
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

/** Processor time in ticks of 10 ms that starting a guest takes at least. */
const startTicks = 20;

/** A call that somebody ends while it is under way, and the processes that it had. */
async function ended(
  { cuervo, work }: Place,
  tool: string,
  signal: 'SIGINT' | 'SIGKILL',
  whenThere: (pid: number, ticks: number) => Promise<number[]>,
): Promise<{ code: number | null; pids: number[] }> {
  let pids: number[] = [];
  const args = ['run', `async-guest.${tool}`, '{}', '--json', '--workspace', work];
  const { code } = await cuervo(args, {
    ownProcess: true,
    onLine: (line, child) => {
      if (!line.includes('"step-started"')) return;
      void whenThere(child.pid ?? 0, startTicks).then((found) => {
        pids = found;
        child.kill(signal);
      });
    },
  });
  return { code, pids };
}

async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  try {
    await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  } finally {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
  }
}

escapeCase('asynchronous call that somebody ends', {
  needs: { file: '/proc/self/stat', install: 'Linux' },
  denied: [
    [
      'a guest that takes turns for ever ignores no Ctrl+C',
      async () => {
        const { code, pids } = await ended(plain, 'spin', 'SIGINT', whenBusy);
        expect(code).toBe(130);
        await expectGone(pids);
      },
    ],
    [
      'a guest that waits goes when cuervo was killed, and leaves all as it was',
      async () => {
        const before = plain.state();
        const { code, pids } = await ended(plain, 'silent', 'SIGKILL', whenQuiet);
        expect(code).toBe(null);
        await expectGone(pids);
        expect(plain.state()).toBe(before);
      },
    ],
    [
      'so does one that takes turns for ever',
      async () => {
        const { code, pids } = await ended(plain, 'spin', 'SIGKILL', whenBusy);
        expect(code).toBe(null);
        await expectGone(pids);
      },
    ],
  ],
  control: [
    'one that nobody ends answers, and its home is good for the next call',
    async () => {
      const ran = await plain.run('async-guest.linger', {}, { allow: [] });
      expect(expectSuccess(ran)).toBe(2);
    },
  ],
});
