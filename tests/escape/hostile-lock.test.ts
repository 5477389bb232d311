import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, put, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => {
    await made.install(await buildGuest('state-keeper'));
  },
});

type Entry = Record<string, unknown> & { files: Record<string, string>; tools: Entry[] };
const lockPath = () => join(place.home, 'plugins.lock');
const hear = (): Promise<Ran> =>
  place.run('state-keeper.hear', { words: ['a'] }, { allow: [], giveUpMs: 20_000 });

const installLocked = (): Promise<Ran> =>
  place.cuervo(['plugin', 'install', '--locked', '--yes', '--json', '-w', place.work], {
    giveUpMs: 20_000,
  });

/** What `use` sees while another lock lies there. */
async function withLock<Value>(make: (text: string) => unknown, use: () => Promise<Value>) {
  const before = readFileSync(lockPath(), 'utf8');
  rmSync(lockPath());
  try {
    make(before);
    return await use();
  } finally {
    rmSync(lockPath(), { recursive: true, force: true });
    writeFileSync(lockPath(), before);
  }
}

const write = (text: string) => writeFileSync(lockPath(), text);
const changed = (change: (entry: Entry) => void) => (text: string) => {
  const lock = JSON.parse(text) as { plugins: Entry[] };
  for (const entry of lock.plugins) change(entry);
  write(JSON.stringify(lock));
};

escapeCase('lock of plugins that somebody else wrote', {
  denied: [
    [
      'one without an end, of no file, or of no lock is refused at once',
      async () => {
        const forms: Record<string, (text: string) => unknown> = {
          sparse: () => {
            write('');
            truncateSync(lockPath(), 200 * 1024 ** 3);
          },
          pipe: () => execFileSync('mkfifo', [lockPath()]),
          device: () => symlinkSync('/dev/zero', lockPath()),
          deep: () => write('['.repeat(1_000_000)),
          prototype: () => write('{"__proto__":{"lockVersion":1,"plugins":[]}}'),
          text: () => write('\u0000'.repeat(1000)),
          names: changed((entry) => Object.assign(entry, { name: '../../outside' })),
          digest: changed((entry) => Object.assign(entry, { sha256: '../../outside' })),
          files: changed((entry) => Object.assign(entry.files, { '../secret.txt': entry.sha256 })),
          effect: changed(({ tools }) => Object.assign(tools[0] as Entry, { effect: 'root' })),
        };
        for (const [name, make] of Object.entries(forms)) {
          const ran = await withLock(make, () => hear());
          expect([name, ran.exitCode, ran.error?.code]).toEqual([
            name,
            ...(/sparse|pipe|device/.test(name) ? [2, 'invalid-argument'] : [6, 'plugin-fault']),
          ]);
        }
      },
    ],
    [
      'its entries become no built-in plugins, hold nothing, and load no other bytes',
      async () => {
        const named = changed((entry) =>
          Object.assign(entry, { name: 'file', source: 'built-in' }),
        );
        await withLock(named, async () => {
          const listed = await place.run('file.list', {}, { allow: [] });
          expect(JSON.stringify(expectSuccess(listed))).toContain('inside.txt');
          const heard = await place.run('file.hear', { words: ['a'] }, { allow: [] });
          expect(heard.error).toMatchObject({ code: 'not-found' });
        });
        const other = '0'.repeat(64);
        for (const change of [
          (entry: Entry) => Object.assign(entry, { sha256: other }),
          (entry: Entry) => Object.assign(entry.files, { 'component.js': other }),
          (entry: Entry) => Object.assign(entry, { files: {} }),
        ]) {
          const ran = await withLock(changed(change), () => hear());
          expect([change.toString(), ran.error?.code]).toEqual([change.toString(), 'plugin-fault']);
        }
      },
    ],
    [
      'one of a project with millions of wrong, deep or repeated entries is refused at once',
      async () => {
        const entry = (index: number) =>
          `{"name":"p${index}","version":"1","source":"x","sha256":"${'a'.repeat(64)}","imports":[],"wants":[],"tools":[]}`;
        const lists = {
          wrong: `[${'0,'.repeat(6_000_000)}0]`,
          deep: '['.repeat(4_000_000) + ']'.repeat(4_000_000),
          many: `[${Array.from({ length: 100_000 }, (_, index) => entry(index))}]`,
          large: `[]${' '.repeat(17 * 1024 * 1024)}`,
        };
        for (const [name, list] of Object.entries(lists)) {
          put(place.work, 'plugins.lock', `{"lockVersion":1,"plugins":${list}}`);
          const ran = await installLocked();
          rmSync(join(place.work, 'plugins.lock'));
          expect([name, ran.exitCode, ran.error?.code]).toEqual([name, 6, 'plugin-fault']);
        }
      },
    ],
  ],
  control: [
    'the lock that cuervo wrote loads the plugin, and one of a project is followed',
    async () => {
      expectSuccess(await withLock(write, () => hear()));
      put(place.work, 'plugins.lock', '{"lockVersion":1,"plugins":[]}');
      expect((await installLocked()).exitCode).toBe(0);
      rmSync(join(place.work, 'plugins.lock'));
    },
  ],
});
