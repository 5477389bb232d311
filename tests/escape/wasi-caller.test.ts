import { afterAll, expect } from 'vitest';
import { type Served, serve } from '../fixtures/tls/serve.ts';
import { calling } from './guests/wasi-caller/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

let asked = 0;
let served: Served;
let authority = '';
const place = usePlace({
  fill: async () => {
    served = await serve((_, response) => {
      asked += 1;
      response.writeHead(201).end();
    });
    authority = `127.0.0.1:${served.port}`;
  },
});
afterAll(async () => await served?.[Symbol.asyncDispose]());

async function run(to: string, allow: string[]) {
  await place.install(await calling(to));
  return await place.run('wasi-caller.run', {}, { allow });
}

escapeCase('wasi: request without a grant', {
  denied: [
    [
      'nobody is asked without one, or with one of another origin',
      async () => {
        for (const allow of [[], ['http:https://example.org'], ['fs:work', 'clock']]) {
          const ran = await run(authority, allow);
          const says = /the program ended with exit code (10|20)$/;
          expectFailure(place, ran, { code: 'permission-denied', exit: 3, says });
        }
        expect(asked).toBe(0);
      },
    ],
    [
      'an authority that is more than one is none',
      async () => {
        const allow = [`http:http://${authority}`];
        for (const to of [`user@${authority}`, `${authority}/x`, `${authority}#`]) {
          expect(expectSuccess(await run(to, allow))).toMatchObject({ exitCode: 9 });
        }
        expect(asked).toBe(0);
      },
    ],
  ],
  control: [
    'with the origin granted it has its answer',
    async () => {
      const ran = await run(authority, [`http:http://${authority}`]);
      expect(expectSuccess(ran)).toMatchObject({ exitCode: 201 });
      expect(asked).toBe(1);
    },
  ],
});
