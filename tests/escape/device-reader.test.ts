import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

let server: Server | undefined;
/** Only root makes device nodes; elsewhere the case shows what it can without one. */
let hasDevice = false;

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 5000\n',
  fill: async (made) => {
    put(made.work, 'mixed/file.txt', `${made.inside}\n`);
    const at = (name: string) => join(made.work, 'mixed', name);
    expect(spawnSync('mkfifo', [at('fifo')]).status).toBe(0);
    hasDevice = spawnSync('mknod', [at('zero'), 'c', '1', '5']).status === 0;
    server = createServer().listen(at('socket'));
    await new Promise((ready) => server?.once('listening', ready));
    await made.install(await buildGuest('device-reader'));
  },
});
afterAll(() => server?.close());

const read = (path: string) => place.run('device-reader.read', { path });
const tryAll = async (paths: readonly string[]) =>
  outcomesOf(place, await place.run('device-reader.try-all', { paths }));
const special = () =>
  ['fifo', 'socket', ...(hasDevice ? ['zero'] : [])].map((name) => `mixed/${name}`);

escapeCase('fifo, socket and device', {
  denied: [
    [
      'reading a fifo that nobody writes ends with exit 2 and does not wait',
      async () => {
        expectFailure(place, await read('mixed/fifo'), {
          code: 'invalid-argument',
          exit: 2,
          says: /not a regular file/,
        });
      },
    ],
    [
      'each of them, in every call that reads: refused, or nothing scanned',
      async () => {
        const outcomes = await tryAll(special());
        expect([...new Set(answered(outcomes))]).toEqual(['stat', 'stat-many']);
        const refused = outcomes.filter((outcome) => !outcome.ok);
        const isDevice = ({ path }: { path: string }) => path.endsWith('zero');
        expectAllRefused(
          refused.filter((outcome) => !isDevice(outcome)),
          ['invalid'],
        );
        // A sandbox of the operating system opens no device at all.
        if (hasDevice) expectAllRefused(refused.filter(isDevice), ['invalid', 'denied']);
      },
    ],
    [
      'a scan of their folder passes them by',
      async () => {
        const outcomes = await tryAll(['mixed']);
        const scan = outcomes.find(({ call }) => call === 'scan');
        expect(scan).toMatchObject({ ok: true, value: { filesScanned: 1 } });
        const list = outcomes.find(({ call }) => call === 'list-dir') as unknown as {
          value: { path: string; kind: string }[];
        };
        const other = list.value.filter(({ kind }) => kind === 'other').map(({ path }) => path);
        expect(other).toEqual(
          special()
            .map((path) => `work:${path}`)
            .sort(),
        );
      },
    ],
  ],
  control: [
    'the regular file beside them is read',
    async () => {
      expect(expectSuccess(await read('mixed/file.txt'))).toBe(`${place.inside}\n`);
    },
  ],
});

escapeCase('/proc through a root', {
  denied: [
    [
      'a workspace in /proc shows no process: its links lead outside, exit 3',
      async () => {
        const path = 'cwd/etc/hostname';
        const ran = await place.run('device-reader.read', { path }, { workspace: '/proc/1' });
        expect(ran.exitCode).toBe(3);
        expect(ran.error?.code).toBe('permission-denied');
      },
    ],
    [
      'links of /proc to descriptors, root and working folder are not followed',
      async () => {
        const workspace = `/proc/${process.pid}`;
        const paths = ['root/etc/hostname', 'cwd/package.json', 'fd/0', 'exe', 'fd/1', 'root'];
        const ran = await place.run('device-reader.try-all', { paths }, { workspace });
        const outcomes = expectSuccess(ran) as { ok: boolean; code?: string }[];
        expect(outcomes.length).toBe(paths.length * 9);
        expect(outcomes.filter(({ ok }) => ok)).toEqual([]);
      },
    ],
  ],
  control: [
    'a plain file there is read, because the person named that folder',
    async () => {
      const workspace = `/proc/${process.pid}`;
      const ran = await place.run('device-reader.read', { path: 'comm' }, { workspace });
      expect(String(expectSuccess(ran)).length).toBeGreaterThan(1);
    },
  ],
});
