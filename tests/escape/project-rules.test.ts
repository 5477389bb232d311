import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { expectFailure, expectSuccess, type Place, put, usePlace } from './support/place.ts';

const rules = 'protected = ["vault/**"]\n[capabilities]\ndeny = ["http"]\n';

/** A workspace that says what is withheld in it, whatever stood there before. */
function lay({ work, secret }: Pick<Place, 'work' | 'secret'>): void {
  for (const name of readdirSync(work)) rmSync(join(work, name), { recursive: true });
  put(work, 'cuervo.toml', rules);
  put(work, 'part/cuervo.toml', rules);
  put(work, 'vault/plan.txt', `${secret}\n`);
  put(work, 'other.toml', 'x = 1\n');
}

const place = usePlace({
  fill: async (made) => {
    lay(made);
    await made.install(await buildGuest('file-writer'));
    await made.install(await buildGuest('program-runner'));
  },
});

const writes = { allow: ['fs-write:work'] };
const read = (path: string): string => readFileSync(join(place.work, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(place.work, path));

escapeCase('restrictions of a project by a plugin', {
  denied: [
    'they are not written, moved, removed or made, in any spelling and any folder',
    async () => {
      const before = place.state();
      const names = [
        ...['cuervo.toml', 'part/cuervo.toml', 'vault/cuervo.toml', 'new/deep/cuervo.toml'],
        ...['CUERVO.TOML', 'Cuervo.toml', 'cuervo.toml.', 'cuervo.toml ', 'cuervo.toml::$DATA'],
        ...['ｃuervo.toml', 'cuervo\u200b.toml', 'part/cuervo.toml/below.txt'],
      ];
      const calls = names.flatMap((path) => [
        { call: 'text', path, text: '' },
        { call: 'bytes', path, length: 0 },
        { call: 'dir', path },
        { call: 'remove', path },
        { call: 'rename', path, to: 'free.toml' },
        { call: 'rename', path: 'other.toml', to: path },
      ]);
      const ran = await place.run('file-writer.try-all', { calls, times: 1 }, writes);
      expectAllRefused(outcomesOf(place, ran), ['denied']);
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'a file of another name is written, moved and removed',
    async () => {
      lay(place);
      const make = (input: object) => place.run('file-writer.make', input, writes);
      expectSuccess(await make({ call: 'text', path: 'free.toml', text: 'x = 2\n' }));
      expectSuccess(await make({ call: 'rename', path: 'free.toml', to: 'cuervo.toml.md' }));
      expect(read('cuervo.toml.md')).toBe('x = 2\n');
      expectSuccess(await make({ call: 'remove', path: 'cuervo.toml.md' }));
    },
  ],
});

const shell = (script: string): Promise<Ran> => {
  const input = { program: 'sh', args: ['-c', script] };
  return place.run('program-runner.go', input, { allow: ['fs:work', 'exec:sh'] });
};

escapeCase('restrictions of a project by a program', {
  needs: { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' },
  denied: [
    [
      'they are not written, moved, replaced, linked or removed',
      async () => {
        const script = [
          'rm -f cuervo.toml; mv cuervo.toml gone.toml; echo > cuervo.toml; echo >> cuervo.toml',
          'cp other.toml new.toml; mv -f new.toml cuervo.toml; ln cuervo.toml linked.toml',
          'sed -i d cuervo.toml; truncate -s 0 cuervo.toml; chmod 000 cuervo.toml',
          'rm -rf part/cuervo.toml; mv -T vault cuervo.toml; cat cuervo.toml vault/plan.txt',
        ].join('; ');
        const ran = await shell(script);
        const { stdout } = expectSuccess(ran) as { stdout: string };
        expect(stdout).toBe(rules);
        expect(read('cuervo.toml')).toBe(rules);
        expect(read('part/cuervo.toml')).toBe(rules);
        expect(isThere('linked.toml')).toBe(false);
      },
    ],
    [
      'those of a folder below stay there, and so does each folder on the way to them',
      async () => {
        put(place.work, 'deep/sub/cuervo.toml', rules);
        await shell('mv part gone; mv deep gone; mv deep/sub gone; mv deep/sub deep/gone');
        expect(read('part/cuervo.toml')).toBe(rules);
        expect(read('deep/sub/cuervo.toml')).toBe(rules);
        // What cannot be moved is copied by `mv`, and a copy of such a file is taken out of the way.
        expect(isThere('gone/cuervo.toml')).toBe(false);
        for (const made of ['deep', 'gone'])
          rmSync(join(place.work, made), { recursive: true, force: true });
      },
    ],
    [
      'none are left behind in a folder below',
      async () => {
        const planted = await shell('mkdir -p own; echo > own/cuervo.toml');
        expectFailure(place, planted, { code: 'permission-denied', exit: 3, says: /withheld/ });
        expect(isThere('own/cuervo.toml')).toBe(false);
      },
    ],
  ],
  control: [
    'a file of another name is replaced',
    async () => {
      lay(place);
      expectSuccess(await shell('echo y > new.toml; mv -f new.toml other.toml'));
      expect(read('other.toml')).toBe('y\n');
    },
  ],
});

const make = (): Promise<Ran> =>
  place.run('file-writer.make', { call: 'text', path: 'free.txt', text: 'x' }, writes);

escapeCase('restrictions of a project that changed', {
  denied: [
    'the next run says what is no longer withheld, and so it does when they are gone',
    async () => {
      await make();
      put(place.work, 'cuervo.toml', '[budget]\nrounds = 3\n');
      const changed = await make();
      expect(changed.stdout + changed.stderr).toMatch(
        /cuervo\.toml was changed .*no longer withheld: vault\/\*\*; no longer denied: http/,
      );
      rmSync(join(place.work, 'cuervo.toml'));
      const gone = await make();
      put(place.work, 'cuervo.toml', rules);
      expect(gone.stdout + gone.stderr).toMatch(/cuervo\.toml is gone/);
    },
  ],
  control: [
    'nothing is said while they are the same',
    async () => {
      put(place.work, 'cuervo.toml', rules);
      await make();
      const ran = await make();
      expectSuccess(ran);
      expect(ran.stdout + ran.stderr).not.toContain('cuervo.toml');
    },
  ],
});
