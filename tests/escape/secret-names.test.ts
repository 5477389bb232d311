import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

/** As Docker Compose, Wrangler, Azure Functions, Yarn, Google Cloud and JOSE call their files. */
const names = [
  ...['prod.env', 'deploy/.dev.vars', 'local.settings.json', '.yarnrc.yml', 'signing.jwk'],
  ...['my-service-account-key.json', 'app-credentials.json', 'gcp-key.json'],
];
const place = usePlace({
  fill: async (made) => {
    for (const name of names) put(made.work, name, `token: ${made.secret}\n`);
    put(made.work, 'example.env', `${made.inside}\n`);
    await made.install(await buildGuest('program-runner'));
  },
});

escapeCase('file that a tool keeps a secret in', {
  denied: [
    [
      'is read by no tool',
      async () => {
        for (const path of names) {
          const ran = await place.run('file.read', { path });
          expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /protected file/ });
          expect(ran.stdout + ran.stderr).not.toContain(place.secret);
        }
      },
    ],
    [
      'is found by no search and no program',
      async () => {
        const found = await place.run('search.grep', { pattern: place.secret, hidden: true });
        expect(expectSuccess(found)).toMatchObject({ matches: [] });
        const input = { program: 'sh', args: ['-c', 'grep -r . .'] };
        const ran = await place.run('program-runner.go', input, { allow: ['fs:work', 'exec:sh'] });
        expect(ran.stdout).toContain(place.inside);
        expect(ran.stdout).not.toContain(place.secret);
      },
    ],
  ],
  control: [
    'an example that is written to be shared is read',
    async () => {
      const ran = await place.run('file.read', { path: 'example.env' });
      expect(expectSuccess(ran)).toMatchObject({ lines: place.inside });
    },
  ],
});
