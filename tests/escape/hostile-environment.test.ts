import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, put, usePlace } from './support/place.ts';

/** A project that brings programs and libraries along, in the environment of who starts cuervo. */
const place = usePlace({
  fill: ({ work }) => {
    execFileSync('git', ['-C', work, 'init', '--quiet']);
    for (const name of [
      'bwrap',
      'git',
      'node',
      'sh',
      'bash',
      'ls',
      'socat',
      'setpriv',
      'secret-tool',
    ])
      chmodSync(put(work, `bin/${name}`, `#!/bin/sh\n: > '${work}/ran-${name}'\nexit 1\n`), 0o755);
    put(
      work,
      'hook.cjs',
      `const { writeFileSync } = require('node:fs');
       const name = require('node:path').basename(process.argv[1] ?? 'none');
       try { writeFileSync('${work}/hooked-' + name, ''); } catch {}`,
    );
  },
});

const named = (start: string) => readdirSync(place.work).filter((name) => name.startsWith(start));

/** The loader writes a file for each process that it hears of these in, `LD_PRELOAD` as well. */
const loader = () => ({
  ...{ LD_PRELOAD: join(place.work, 'none.so'), LD_LIBRARY_PATH: place.work },
  ...{ LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: join(place.work, 'loaded') },
});
const loaded = () => named('loaded.');
const commands = [
  ['run', 'file.list', '{}', '-w', '.'],
  ['run', 'git.status', '{}', '-w', '.'],
  ['doctor'],
];

escapeCase('environment that a project set', {
  denied: [
    [
      'no program of a folder in front of PATH is started',
      async () => {
        for (const first of [join(place.work, 'bin'), 'bin', '']) {
          const env = { PATH: `${first}:${process.env.PATH}`, LD_LIBRARY_PATH: place.work };
          for (const command of commands) await place.cuervo(command, { cwd: place.work, env });
          expect(named('ran-'), first).toEqual([]);
        }
      },
    ],
    [
      'what Node is told to load is loaded by nothing that cuervo starts',
      async () => {
        const env = { NODE_OPTIONS: `--require=${place.work}/hook.cjs`, NODE_PATH: place.work };
        for (const command of commands) await place.cuervo(command, { cwd: place.work, env });
        expect(named('hooked-')).toEqual(['hooked-cuervo.cjs']);
      },
    ],
    [
      'what the loader of libraries is told is heard by cuervo itself and by nothing that it starts',
      async () => {
        for (const command of commands) {
          const before = loaded().length;
          await place.cuervo(command, { cwd: place.work, env: loader() });
          expect(loaded().length - before, command.join(' ')).toBe(1);
        }
      },
    ],
  ],
  control: [
    'a shell starts such a program, and without them cuervo works',
    async () => {
      execFileSync('/bin/sh', ['-c', 'ls || true'], { env: { PATH: join(place.work, 'bin') } });
      expect(existsSync(join(place.work, 'ran-ls'))).toBe(true);
      const before = loaded().length;
      const env = { PATH: '/usr/bin:/bin', ...loader() };
      execFileSync('/bin/sh', ['-c', 'ls; true'], { env, stdio: 'ignore' });
      expect(loaded().length - before).toBe(2);
      expectSuccess(await place.run('file.list', {}));
    },
  ],
});
