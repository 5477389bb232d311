import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => made.install(await buildGuest('clock-watcher')),
});

escapeCase('clock without grant', {
  denied: [
    [
      'the time ends with exit 3',
      async () => {
        const before = place.state();
        const ran = await place.run('clock-watcher.now', {}, { allow: [] });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /was not granted clock/,
        });
        expect(ran.error?.hint).toContain('--allow clock');
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a grant of something else does not help',
      async () => {
        const ran = await place.run('clock-watcher.now', {}, { allow: ['fs:work'] });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3 });
      },
    ],
    [
      'what asks for the time in passing has the fixed clock of programs, in every call',
      async () => {
        const ask = () => place.run('clock-watcher.passing', {}, { allow: [] });
        const seen = expectSuccess(await ask()) as { loaded: string; dates: number[] };
        expect(seen.loaded).toMatch(/^2020-01-01T00:00:00\.0\d\dZ$/);
        const [first = 0, next = 0] = seen.dates;
        expect(first).toBeCloseTo(Date.UTC(2020, 0, 1), -3);
        expect(next).toBe(first + 1);
        expect(expectSuccess(await ask())).toEqual(seen);
      },
    ],
  ],
  control: [
    'with --allow clock it is the time',
    async () => {
      const asked = await place.run('clock-watcher.passing', {}, { allow: ['clock'] });
      const { dates } = expectSuccess(asked) as { dates: number[] };
      expect(Math.abs((dates[0] ?? 0) - Date.now())).toBeLessThan(60_000);
      const before = Date.now();
      const ran = await place.run('clock-watcher.now', {}, { allow: ['clock'] });
      const { now } = expectSuccess(ran) as { now: number };
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThanOrEqual(Date.now());
    },
  ],
});

escapeCase('random numbers', {
  denied: [
    'bytes are denied without a grant, and the reason says so',
    async () => {
      const ran = await place.run('clock-watcher.draw', {}, { allow: ['clock'] });
      expect(expectSuccess(ran)).toEqual({
        tag: 'denied',
        val: 'clock-watcher was not granted random',
      });
    },
  ],
  control: [
    'with --allow random they come, and differ from call to call',
    async () => {
      const [one, other] = [
        expectSuccess(await place.run('clock-watcher.draw', {}, { allow: ['random'] })),
        expectSuccess(await place.run('clock-watcher.draw', {}, { allow: ['random'] })),
      ] as number[][];
      expect(one).toHaveLength(16);
      expect(other).not.toEqual(one);
    },
  ],
});
