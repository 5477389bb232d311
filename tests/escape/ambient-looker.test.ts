import { mkdirSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import type { Outcome } from './guests/attempt.ts';
import { buildGuest, type GuestEngine } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectNoHostPath, expectSuccess, put, usePlace } from './support/place.ts';

const marker = 'escape-environment-marker';

const place = usePlace({
  fill: async (made) => {
    put(made.work, 'sub/file.txt', made.inside);
    put(made.work, '.env', 'x');
    symlinkSync(join(made.outside, 'secret.txt'), join(made.work, 'to-secret'));
    symlinkSync('/etc/shadow', join(made.work, 'to-shadow'));
    symlinkSync('loop', join(made.work, 'loop'));
    put(made.work, 'binary.bin', Uint8Array.of(0, 255, 254));
    await made.install(await buildGuest('ambient-looker'));
  },
});

type Seen = {
  present: string[];
  globals: string[];
  env: string;
  argv: string;
  evaluated: Outcome;
  stack: string;
  time: Outcome;
};

async function look(home: string = place.home): Promise<{ seen: Seen; ran: Ran }> {
  const ran = await place.cuervo(
    ['run', 'ambient-looker.look', '{}', '--json', '--workspace', place.work],
    { home, cwd: place.outside, env: { ESCAPE_MARKER: marker, HOME: place.outside } },
  );
  return { seen: expectSuccess(ran) as Seen, ran };
}

function expectNothingAmbient(seen: Seen): void {
  const text = JSON.stringify(seen);
  for (const word of [
    marker,
    process.execPath,
    place.outside,
    place.home,
    hostname(),
    'process.cjs',
  ]) {
    expect(text).not.toContain(word);
  }
  expect(text).not.toMatch(/\/(?:home|root|Users)\//);
  expect({ env: seen.env, argv: seen.argv }).toEqual({ env: 'null', argv: 'null' });
  expect(seen.present).not.toContain('process');
  expect(seen.present).not.toContain('require');
  expectNoHostPath(place, seen.stack);
}

/** The same guest as a component of the other engine, in a home of its own. */
async function otherHome(engine: GuestEngine): Promise<string> {
  const home = join(place.dir, `home-${engine}`);
  mkdirSync(home, { recursive: true });
  const file = await buildGuest('ambient-looker', engine);
  const ran = await place.cuervo(['plugin', 'install', file, '--yes'], { home });
  expect(ran.exitCode).toBe(0);
  return home;
}

/** As a program of WASI has it without a grant. */
const fixedMs = Date.UTC(2020, 0, 1);

escapeCase('environment, arguments, folders', {
  denied: [
    [
      'a QuickJS guest finds nothing of the world',
      async () => {
        const { seen } = await look();
        expectNothingAmbient(seen);
        expect(seen.present).toEqual([]);
        // Not wanted, not there: not even the time, which begins anew in every call.
        expect(seen.time).toMatchObject({ ok: true, value: expect.closeTo(fixedMs, -3) });
      },
    ],
    [
      'nor does a StarlingMonkey guest, whose engine brings more names',
      async () => {
        const { seen } = await look(await otherHome('starlingmonkey'));
        expectNothingAmbient(seen);
      },
    ],
  ],
  control: [
    'it sees its own globals, and a file where one is granted',
    async () => {
      const { seen } = await look();
      expect(seen.globals).toContain('JSON');
      expect(seen.globals).toContain('Promise');
      const ran = await place.run('ambient-looker.provoke', { paths: ['sub/file.txt'] });
      const { failures } = expectSuccess(ran) as { failures: Outcome[] };
      expect(failures.filter(({ ok }) => ok).map(({ call }) => call)).toEqual([
        ...['stat', 'read-text', 'read-bytes', 'walk'],
      ]);
    },
  ],
});

escapeCase('host path in an error text', {
  denied: [
    [
      'no sentence of any failing call names a folder of the host',
      async () => {
        const paths = [
          'nothing',
          'sub/file.txt/x',
          'sub',
          '.env',
          'to-secret',
          'to-shadow',
          'loop',
          'binary.bin',
          '..',
          '/etc/passwd',
          'other:x',
          'x'.repeat(300),
          'a\0b',
        ];
        const ran = await place.run('ambient-looker.provoke', { paths });
        const { roots, failures } = expectSuccess(ran) as { roots: Outcome; failures: Outcome[] };
        expect(roots).toMatchObject({ ok: true, value: ['work'] });
        const sentences = failures.flatMap((outcome) => (outcome.ok ? [] : [outcome]));
        expect(sentences.length).toBeGreaterThan(50);
        for (const { message, path } of sentences) {
          expectNoHostPath(place, path === '' ? message : message.replaceAll(path, ''));
          expect(message).not.toMatch(/\bat .*:\d+:\d+/);
        }
      },
    ],
  ],
  control: [
    'paths that work are named from the root on',
    async () => {
      const ran = await place.run('ambient-looker.provoke', { paths: ['sub'] });
      const { failures } = expectSuccess(ran) as { failures: Outcome[] };
      expect(failures.find(({ call }) => call === 'list-dir')).toMatchObject({
        ok: true,
        value: ['work:sub/file.txt'],
      });
    },
  ],
});
