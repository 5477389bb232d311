import { afterAll, expect } from 'vitest';
import { type Served, serve } from '../fixtures/tls/serve.ts';
import { runMany } from '../support/run-many.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, outcomesOf } from './support/outcomes.ts';
import { expectFailure, usePlace } from './support/place.ts';

const limit = 5;

let served: Served;
const place = usePlace({
  config: `[limits]\nmax-requests-per-minute = ${limit}\n`,
  fill: async (made) => {
    served = await serve((_, response) => response.end('answer'));
    await made.install(await buildGuest('http-caller'));
  },
});
afterAll(async () => await served?.[Symbol.asyncDispose]());

const origin = (): string => `http://127.0.0.1:${served.port}`;
const request = () => ({ url: `${origin()}/` });
const allow = (): string[] => [`http:${origin()}`];
const requests = (count: number) => ({ requests: Array.from({ length: count }, request) });

escapeCase('requests without a pause', {
  denied: [
    [
      'in one call: what is above the limit never goes out',
      async () => {
        const before = served.asked.length;
        const ran = await place.run('http-caller.try-all', requests(limit + 3), { allow: allow() });
        const outcomes = outcomesOf(place, ran);
        expect(answered(outcomes)).toHaveLength(limit);
        for (const outcome of outcomes.slice(limit)) {
          const message = expect.stringMatching(/too many requests in a minute/);
          expect(outcome).toMatchObject({ ok: false, code: 'limit', message });
        }
        expect(served.asked.length - before).toBe(limit);
      },
    ],
    [
      'in calls one after the other: they share the minute, and the next ends with exit 5',
      async () => {
        const before = served.asked.length;
        const inputs = Array.from({ length: limit + 1 }, request);
        const ended = await runMany(place, 'http-caller.send', inputs, allow());
        expect(ended.map(({ exit }) => exit)).toEqual([...inputs.slice(1).map(() => 0), 5]);
        expect(ended.at(-1)).toMatchObject({ code: 'resource-exhausted' });
        expect(served.asked.length - before).toBe(limit);
      },
    ],
    [
      'requests that are denied count, too: a guest cannot ask about thousands of origins',
      async () => {
        const elsewhere = Array.from({ length: limit }, () => ({ url: 'http://127.0.0.1:9/' }));
        const [first, last] = [elsewhere, [request()]];
        const input = { requests: [...first, ...last] };
        const ran = await place.run('http-caller.try-all', input, { allow: allow() });
        const codes = outcomesOf(place, ran).map((outcome) => (outcome.ok ? 'ok' : outcome.code));
        expect(codes).toEqual([...first.map(() => 'denied'), 'limit']);
      },
    ],
  ],
  control: [
    'as many as the limit are answered, every one',
    async () => {
      const ran = await place.run('http-caller.try-all', requests(limit), { allow: allow() });
      expect(answered(outcomesOf(place, ran))).toHaveLength(limit);
      const one = await place.run(
        'http-caller.send',
        { url: 'http://127.0.0.1:9/' },
        { allow: [] },
      );
      expectFailure(place, one, { code: 'permission-denied', exit: 3 });
    },
  ],
});
