import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

/**
 * Names of Linux that are not UTF-8, as latin1: a byte alone, the beginning of a character, an
 * overlong `/`, half of a surrogate pair, one above U+10FFFF; and U+FFFD itself, as which Node shows
 * the others.
 */
const odd = ['d\xff', 'a\xc3', '\xc0\xaf', '\xed\xb2\x80', '\xf5\x80\x80\x80', '\xef\xbf\xbd'];
const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');
const putBytes = (folder: string, path: string, text: string): void => {
  mkdirSync(bytes(dirname(`${folder}/${path}`)), { recursive: true });
  writeFileSync(bytes(`${folder}/${path}`), text);
};

const place = usePlace({
  fill: async (made) => {
    for (const name of odd) {
      putBytes(made.work, `${name}/.env`, `KEY=${made.secret}\n`);
      putBytes(made.work, `deep/${name}/er/${name}/tls.key`, `${made.secret}\n`);
      putBytes(made.work, `${name}/plain.txt`, `${made.inside}\n`);
      // A protected name that leads to a plain one, which is covered where it lies.
      putBytes(made.work, `${name}/target.txt`, `${made.secret}\n`);
    }
    mkdirSync(join(made.work, 'links'));
    for (const [at, name] of odd.entries()) {
      mkdirSync(join(made.work, `links/${at}`));
      symlinkSync(bytes(`../../${name}/target.txt`), join(made.work, `links/${at}/.env`));
    }
    await made.install(await buildGuest('program-runner'));
  },
});
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

const sh = (text: string, grants: readonly string[] = []): Promise<Ran> =>
  place.run(
    'program-runner.go',
    { program: 'sh', args: ['-c', text] },
    { allow: ['fs:work', 'exec:sh', ...grants] },
  );

escapeCase('name that is not UTF-8', {
  needs,
  denied: [
    [
      'hides no protected file below it from its mask',
      async () => {
        const ran = await sh('grep -r . . 2>&1 | sort');
        const { stdout } = expectSuccess(ran) as { stdout: string };
        expect(stdout).not.toContain(place.secret);
        // Each of them is there, and closed.
        expect(stdout.match(/\.env: Permission denied/g)).toHaveLength(odd.length);
        expect(stdout.match(/tls\.key: Permission denied/g)).toHaveLength(odd.length);
        expect(stdout.match(/target\.txt: Permission denied/g)).toHaveLength(odd.length);
      },
    ],
    [
      'hides nothing that a program leaves for later commands to obey',
      async () => {
        const plant = `cd d?; mkdir -p x/.git/hooks; echo KEY > .env.local; cd "$OLDPWD"`;
        const ran = await sh(plant, ['fs-write:work']);
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /work:d\\xff\/.* more, which later commands would obey/,
        });
        const names = readdirSync(bytes(`${place.work}/d\xff`), { encoding: 'utf8' });
        expect(names).toEqual(expect.arrayContaining(['.env.local.withheld']));
        expect(names).not.toContain('.env.local');
        for (const name of ['x', '.env.local.withheld'])
          rmSync(bytes(`${place.work}/d\xff/${name}`), { recursive: true });
      },
    ],
  ],
  control: [
    'a plain file below it is read by the same command',
    async () => {
      const ran = await sh(`grep -rh ${place.inside} .`);
      const { stdout } = expectSuccess(ran) as { stdout: string };
      expect(stdout.match(new RegExp(place.inside, 'g'))).toHaveLength(odd.length + 1);
    },
  ],
});
