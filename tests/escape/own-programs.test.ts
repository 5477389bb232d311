import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, type Place, put, usePlace } from './support/place.ts';

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

const script = (folder: string, path: string, text: string): void =>
  chmodSync(put(folder, path, `#!/bin/sh\n${text}\n`), 0o755);

const place = usePlace({
  config: 'programs.path = "user"\n',
  fill: async (made: Place) => {
    for (const name of ['ls', 'git', 'sh', 'mine'])
      script(made.work, `node_modules/.bin/${name}`, 'echo stolen');
    script(made.dir, 'tools/v1/bin/tool', 'cat "$@"');
    put(made.dir, 'tools/v1/lib/node_modules/part', 'loaded');
    put(made.dir, 'tools/v1/etc/npmrc', made.secret);
    script(made.dir, 'open/exposed', 'echo exposed');
    script(made.dir, 'asdf/shims/versioned', 'echo shim');
    for (const version of ['1.0.0', '2.0.0'])
      script(made.dir, `asdf/installs/node/${version}/bin/versioned`, `echo ${version}`);
    await made.install(await buildGuest('program-runner'));
  },
});

const go = (program: string, args: readonly string[] = [], grant = program): Promise<Ran> =>
  place.run(
    'program-runner.go',
    { program, args },
    {
      allow: ['fs:work', `exec:${grant}`],
      env: {
        PATH: ['tools/v1/bin', 'open', 'asdf/shims']
          .map((each) => join(place.dir, each))
          .concat(process.env.PATH ?? '')
          .join(':'),
      },
    },
  );
const printed = async (ran: Promise<Ran>): Promise<string> => {
  const { stdout } = expectSuccess(await ran) as { stdout: string };
  return stdout;
};

escapeCase('program of the workspace by a name of the system', {
  needs,
  denied: [
    [
      'a reader is that of the system, whatever was granted',
      async () => {
        expect(await printed(go('ls'))).toContain('inside.txt');
        expect(await printed(go('git', ['--version']))).toContain('git version');
      },
    ],
    [
      'the grant of another one does not cover what stands in for it',
      async () => {
        const ran = await go('sh', ['-c', 'echo mine']);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /sh@[0-9a-f]{64}/ });
      },
    ],
  ],
  control: [
    'one that the system does not have runs with its grant',
    async () => expect(await printed(go('mine'))).toBe('stolen\n'),
  ],
});

escapeCase('folder of PATH that others may write', {
  needs,
  denied: [
    'cuervo looks for no program in it',
    async () => {
      chmodSync(join(place.dir, 'open'), 0o777);
      const ran = await go('exposed');
      expectFailure(place, ran, { code: 'not-found', exit: 4, says: /is not installed/ });
      expect(ran.stderr).toContain('can be written by everybody');
    },
  ],
  control: [
    'closed, it is looked in',
    async () => {
      chmodSync(join(place.dir, 'open'), 0o755);
      expect(await printed(go('exposed'))).toBe('exposed\n');
    },
  ],
});

escapeCase('virtual environment that leads out', {
  needs,
  denied: [
    [
      'a folder that is a link out of the workspace is not searched',
      async () => {
        script(place.outside, 'bin/pytest', 'echo outside');
        rmSync(join(place.work, '.venv'), { recursive: true, force: true });
        symlinkSync(place.outside, join(place.work, '.venv'));
        const says = /\.venv is a link out of the workspace/;
        expectFailure(place, await go('pytest'), { code: 'permission-denied', exit: 3, says });
      },
    ],
    [
      'what it calls its Python is shown to nobody, unless it is one',
      async () => {
        rmSync(join(place.work, '.venv'), { recursive: true, force: true });
        script(place.outside, 'bin/python3', 'echo outside');
        put(place.work, '.venv/pyvenv.cfg');
        script(place.work, '.venv/bin/pytest', `cat ${join(place.outside, 'bin/python3')}`);
        symlinkSync(join(place.outside, 'bin/python3'), join(place.work, '.venv/bin/python3'));
        const says = /not an installation of Python/;
        expectFailure(place, await go('pytest'), { code: 'permission-denied', exit: 3, says });
      },
    ],
  ],
  control: [
    'one in the workspace, with a Python behind it, is run',
    async () => {
      rmSync(join(place.work, '.venv'), { recursive: true, force: true });
      script(place.dir, 'python/bin/python3', 'echo python');
      put(place.dir, 'python/lib/python3.11/os.py');
      put(place.work, '.venv/pyvenv.cfg');
      script(place.work, '.venv/bin/pytest', '"$(dirname "$0")/python3"');
      symlinkSync(join(place.dir, 'python/bin/python3'), join(place.work, '.venv/bin/python3'));
      expect(await printed(go('pytest'))).toBe('python\n');
    },
  ],
});

escapeCase('home around a program of the user', {
  needs,
  denied: [
    'nothing is there but what the program loads',
    async () => {
      const hidden = ['tools/v1/etc/npmrc', 'outside/secret.txt', 'home/config.toml'];
      for (const path of hidden) {
        const ran = await go('tool', [join(place.dir, path)]);
        expect(expectSuccess(ran)).toMatchObject({ exitCode: 1, stdout: '' });
      }
    },
  ],
  control: [
    'the libraries of its installation are',
    async () => {
      const part = join(place.dir, 'tools/v1/lib/node_modules/part');
      expect(await printed(go('tool', [part]))).toBe('loaded');
    },
  ],
});

escapeCase('configuration that a program leaves in a cache', {
  needs,
  denied: [
    'it is gone with the program',
    async () => {
      script(place.work, 'node_modules/.bin/plant', 'echo x > "$CARGO_HOME/config.toml"');
      script(place.work, 'node_modules/.bin/seek', 'cat "$CARGO_HOME/config.toml"');
      expect(expectSuccess(await go('plant'))).toMatchObject({ exitCode: 0 });
      expect(expectSuccess(await go('seek'))).toMatchObject({ exitCode: 1, stdout: '' });
    },
  ],
  control: [
    'what it fetched is found again, in the home of cuervo alone',
    async () => {
      script(place.work, 'node_modules/.bin/fetch', 'echo x > "$CARGO_HOME/registry/a"');
      script(place.work, 'node_modules/.bin/again', 'cat "$CARGO_HOME/registry/a"');
      await go('fetch');
      expect(await printed(go('again'))).toBe('x\n');
      const [cache = ''] = readdirSync(join(place.home, 'caches'));
      expect(existsSync(join(place.home, 'caches', cache, 'cargo/registry/a'))).toBe(true);
    },
  ],
});

/** TOML that takes seconds to be read. */
const manyKeys = Array.from({ length: 300_000 }, (_, index) => `k${index}=1\n`).join('');

escapeCase('list of versions that a project does not end', {
  needs,
  denied: [
    'it says nothing, and the program runs at once',
    async () => {
      put(place.work, 'mise.toml', `[tools]\nnode = "1"\n${manyKeys}`);
      expect(await printed(go('versioned'))).toBe('2.0.0\n');
    },
  ],
  control: [
    'a short one is followed',
    async () => {
      put(place.work, 'mise.toml', '[tools]\nnode = "1"\n');
      expect(await printed(go('versioned'))).toBe('1.0.0\n');
    },
  ],
});
