import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  config: `[limits]\nmax-memory-bytes = ${64 * 1024 * 1024}\n`,
  fill: async (made) => made.install(await buildGuest('endless-loop')),
});

escapeCase('endless loop', {
  denied: [
    'it ends at its deadline with exit 5, and no process of it is left a second later',
    async () => {
      const before = place.state();
      const seen = new Set<number>();
      let parent = 0;
      const timer = setInterval(() => {
        for (const pid of childrenOf(parent)) seen.add(pid);
      }, 100);
      const ran = await place
        .run(
          'endless-loop.spin',
          { to: null },
          {
            allow: [],
            args: ['--timeout', '1'],
            onStart: (pid) => (parent = pid),
            giveUpMs: 50_000,
          },
        )
        .finally(() => clearInterval(timer));
      expectFailure(place, ran, {
        code: 'deadline-exceeded',
        exit: 5,
        says: /no answer after 1000 ms/,
      });
      expect(ran.error?.hint).toContain('--timeout');
      // The plugin process was there, and it is gone: nothing computes on.
      expect(seen.size).toBeGreaterThan(0);
      expect([...seen].filter(isRunning)).toEqual([]);
      const finished = ran.events.find(({ type }) => type === 'step-finished');
      expect(finished).toMatchObject({ status: 'timeout' });
      expect(finished?.durationMs as number).toBeLessThan(10_000);
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'a loop that ends within the same time gives its result',
    async () => {
      const ran = await place.run(
        'endless-loop.spin',
        { to: 100_000 },
        { args: ['--timeout', '10'] },
      );
      expect(expectSuccess(ran)).toEqual({ count: 100_000 });
    },
  ],
});

function childrenOf(parent: number): number[] {
  if (parent === 0) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent);
}

function isRunning(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state !== undefined && state !== 'Z';
}

function statOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return { state: fields[0] as string, parent: Number(fields[1]) };
  } catch {
    return undefined;
  }
}

escapeCase('recursion without end', {
  denied: [
    'it fails in the guest, and the plugin works again',
    async () => {
      const ran = await place.run('endless-loop.recurse', { depth: null }, { allow: [] });
      expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says: /call stack/ });
      expect(expectSuccess(await place.run('endless-loop.recurse', { depth: 5 }))).toEqual({
        depth: 5,
      });
    },
  ],
  control: [
    'a hundred levels come back',
    async () => {
      const ran = await place.run('endless-loop.recurse', { depth: 100 });
      expect(expectSuccess(ran)).toEqual({ depth: 100 });
    },
  ],
});

escapeCase('script that keeps all it can', {
  denied: [
    'a gigabyte under a limit of 64 MiB is an ordinary out-of-memory of the guest',
    async () => {
      const ran = await place.run('endless-loop.grow', { megabytes: 1024 });
      expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /out of memory/ });
    },
  ],
  control: [
    'half of the limit fits',
    async () => {
      const ran = await place.run('endless-loop.grow', { megabytes: 32 });
      expect(expectSuccess(ran)).toEqual({ megabytes: 32 });
    },
  ],
});
