import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildCGuest, cCompiler } from './support/c-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import {
  expectFailure,
  expectSuccess,
  type PlaceRunOptions,
  put,
  usePlace,
} from './support/place.ts';

const needs = cCompiler;
const place = usePlace({
  fill: async (made) => {
    if (!needs.isThere()) return;
    await made.install(buildCGuest('wasi-program'));
    symlinkSync('../outside/secret.txt', join(made.work, 'to-secret'));
    symlinkSync(made.outside, join(made.work, 'to-folder'));
    symlinkSync('inside.txt', join(made.work, 'to-inside'));
    put(made.work, '.env', 'KEY=1');
    mkdirSync(join(made.work, 'sub'));
    expect(spawnSync('mkfifo', [join(made.work, 'sub/pipe')]).status).toBe(0);
    symlinkSync('/proc/self', join(made.work, 'to-proc'));
    symlinkSync('/dev/zero', join(made.work, 'to-zero'));
    for (let index = 0; index < 60; index += 1) {
      symlinkSync(`chain-${index + 1}`, join(made.work, `sub/chain-${index}`));
    }
    put(made.work, 'sub/chain-60', 'end of a chain');
    symlinkSync('circle', join(made.work, 'sub/circle'));
  },
});

type Output = { stdout: string; stderr: string; exitCode: number; truncated?: boolean };
const writing = { allow: ['fs:work', 'fs-write:work'] };

const run = (args: string[], options: PlaceRunOptions = {}): Promise<Ran> =>
  place.run('wasi-program.run', { args }, options);
const outputOf = async (args: string[], options: PlaceRunOptions = {}): Promise<Output> =>
  expectSuccess(await run(args, options)) as Output;
const onDisk = (name: string): string => readFileSync(join(place.work, name), 'utf8');

/** The program failed because of a denial, and nothing changed. */
async function expectDenied(args: string[], says: RegExp, options: PlaceRunOptions = {}) {
  const before = place.state();
  const ran = await run(args, options);
  expectFailure(place, ran, { code: 'permission-denied', exit: 3, says });
  expect(place.state()).toBe(before);
  return ran;
}

escapeCase('wasi: file without a grant', {
  needs,
  denied: [
    [
      'the program is told so, and the person what grants it',
      async () => {
        const args = ['read', 'inside.txt', 'list', '.', 'write', 'new.txt', 'x'];
        const ran = await expectDenied(args, /was not granted fs/, { allow: [] });
        expect(ran.error?.hint).toContain('fs:work');
      },
    ],
    [
      'one that traps then is a fault, and the denial is told beside it',
      async () => {
        const args = ['read', 'inside.txt', 'abort'];
        const ran = await run(args, { allow: [] });
        const says = /before that it was denied: .*not granted fs/;
        expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says });
        expect(ran.error?.hint).toContain('fs:work');
      },
    ],
    [
      'environment and arguments hold nothing of the host',
      async () => {
        const { stdout } = await outputOf(['environment', 'one'], { allow: [] });
        expect(stdout).toBe('home unset\nargument one\n');
      },
    ],
  ],
  control: [
    'with fs:work it reads, by any spelling of a path that stays inside, and lists',
    async () => {
      const paths = [
        'inside.txt',
        './sub/../inside.txt',
        '/inside.txt',
        'to-inside',
        'work:/inside.txt',
      ];
      const { stdout } = await outputOf(paths.flatMap((path) => ['read', path]));
      expect(stdout.split(place.inside)).toHaveLength(paths.length + 1);
      expect((await outputOf(['list', '.'])).stdout).toContain('entry inside.txt\n');
    },
  ],
});

escapeCase('wasi: paths that lead out', {
  needs,
  denied: [
    [
      'a parent path',
      async () => {
        await expectDenied(['read', '../outside/secret.txt'], /leads outside/);
        await expectDenied(['read', 'sub/../../outside/secret.txt'], /leads outside/);
        await expectDenied(['list', '..'], /leads outside/);
      },
    ],
    [
      'an absolute path is one below the root',
      async () => {
        const { stdout } = await outputOf([
          'read',
          join(place.outside, 'secret.txt'),
          'read',
          '/proc/self/environ',
        ]);
        expect(stdout.match(/No such file/g)).toHaveLength(2);
      },
    ],
    [
      'a link to a file and to a folder outside',
      async () => {
        await expectDenied(['read', 'to-secret'], /leads outside of root work/);
        await expectDenied(['read', 'to-folder/secret.txt'], /leads outside of root work/);
        await expectDenied(['list', 'to-folder'], /leads outside of root work/);
        await expectDenied(['write', 'to-folder/new', 'x'], /link|leads outside/, writing);
      },
    ],
    [
      'a link that it makes itself',
      async () => {
        const before = place.state();
        const { stdout } = await outputOf(
          ['symlink', '../outside', 'mine', 'link', 'inside.txt', 'hard'],
          writing,
        );
        expect(stdout.match(/Operation not permitted/g)).toHaveLength(2);
        expect(place.state()).toBe(before);
      },
    ],
  ],
  control: [
    'a link that stays inside is read',
    async () => {
      expect((await outputOf(['read', 'to-inside'])).stdout).toContain(place.inside);
    },
  ],
});

const probing = ['read', '../outside/secret.txt', 'read', '.env', 'read', 'inside.txt'];

escapeCase('wasi: a program that is refused a path and goes on', {
  needs,
  denied: [
    [
      'it never sees the file, and what it printed is told with the denial that it failed of',
      async () => {
        const ran = await expectDenied(
          [...probing, 'read', '../outside/secret.txt', 'exit', '5'],
          /leads outside .* exit code 5 and wrote: read/,
        );
        expect(ran.stderr).toContain(`read inside.txt: ok`);
        expect(ran.stderr).toContain(place.inside);
        expect(ran.stderr).not.toContain(place.secret);
      },
    ],
    [
      'where a grant is missing, that is why it failed, whatever it did then',
      async () => {
        const args = [...probing, 'write', 'new.txt', 'x', 'read', 'inside.txt'];
        const ran = await expectDenied(args, /was not granted fs-write/);
        expect(ran.error?.hint).toContain('fs-write:work');
        expect(ran.stderr).toContain('write new.txt: ');
      },
    ],
  ],
  control: [
    'one that only looked there, as linters do for their settings, has its result',
    async () => {
      const ran = await run([...probing, 'exit', '1']);
      const { stdout, exitCode } = expectSuccess(ran) as Output;
      expect(exitCode).toBe(1);
      expect(stdout).toContain(place.inside);
      expect(stdout).not.toContain(place.secret);
      expect(ran.stdout).toMatch(/exit 1, .*it looked for more: path .* leads outside/);
    },
  ],
});

escapeCase('wasi: pipes, devices and long chains', {
  needs,
  denied: [
    [
      'a pipe that nobody writes is neither waited for nor written',
      async () => {
        const { stdout } = await outputOf(
          ['read', 'sub/pipe', 'write', 'sub/pipe', 'x', 'append', 'sub/pipe', 'x'],
          writing,
        );
        expect(stdout).toMatch(/^read sub\/pipe: (?!ok)/);
        expect(stdout.match(/^write sub\/pipe: (?!ok)/gm)).toHaveLength(2);
      },
    ],
    [
      'a link to /proc or to a device is a link that leads out',
      async () => {
        await expectDenied(['read', 'to-proc/environ'], /leads outside of root work/);
        await expectDenied(['read', 'to-zero'], /leads outside of root work/);
        await expectDenied(['list', 'to-proc/fd'], /leads outside of root work/);
        const { stdout } = await outputOf(['write', 'to-zero', 'x'], writing);
        expect(stdout).toBe('write to-zero: Permission denied\n');
      },
    ],
    [
      'a chain of sixty links is followed no further than sixteen, and a circle nowhere',
      async () => {
        const { stdout, exitCode } = await outputOf(['read', 'sub/chain-0', 'read', 'sub/circle']);
        const loop = (path: string) => `read ${path}: Symbolic link loop\n`;
        expect({ stdout, exitCode }).toEqual({
          stdout: loop('sub/chain-0') + loop('sub/circle'),
          exitCode: 1,
        });
      },
    ],
    [
      'a name is as long as the file system has them, and each other fault is its own error',
      async () => {
        const { stdout } = await outputOf(
          ['read', 'n'.repeat(256), 'write', 'n'.repeat(256), 'x', 'write', 'a\\b', 'x'],
          writing,
        );
        expect(stdout.replaceAll(/n{256}/g, 'N')).toBe(
          'read N: Filename too long\nwrite N: Filename too long\nwrite a\\b: Invalid argument\n',
        );
      },
    ],
  ],
  control: [
    'a short chain is followed, and a file beside a pipe is read',
    async () => {
      const { stdout } = await outputOf(['read', 'sub/chain-55', 'read', 'sub/chain-60']);
      expect(stdout.split('end of a chain')).toHaveLength(3);
    },
  ],
});

escapeCase('wasi: protected names', {
  needs,
  denied: [
    [
      'are not read, not listed, not written, by any spelling',
      async () => {
        await expectDenied(['read', '.env'], /protected file/);
        await expectDenied(['read', '.ENV'], /protected file|does not exist/);
        expect((await outputOf(['list', '.'])).stdout).not.toContain('.env');
        for (const change of [
          ['write', '.env', 'x'],
          ['append', '.env', 'x'],
          ['write', '.git/hooks/pre-commit', 'x'],
          ['write', '.npmrc', 'x'],
          ['rename', 'inside.txt', '.bashrc'],
          ['rename', '.env', 'free.txt'],
          ['remove', '.env'],
        ]) {
          await expectDenied(change, /protected file/, writing);
        }
      },
    ],
  ],
  control: [
    'a name beside them is written',
    async () => {
      await outputOf(['write', 'env.txt', 'x'], writing);
      expect(onDisk('env.txt')).toBe('x');
    },
  ],
});

escapeCase('wasi: write without fs-write', {
  needs,
  denied: [
    'nothing is made, changed, cut, moved or removed, and the program hears of it at once',
    async () => {
      const opened = await expectDenied(['write', 'new.txt', 'x'], /not granted fs-write/);
      expect(opened.error?.message).toContain('exit code 1');
      for (const change of [
        ['write', 'new.txt', 'x'],
        ['write', 'inside.txt', 'x'],
        ['append', 'inside.txt', 'x'],
        ['truncate', 'inside.txt', '0'],
        ['mkdir', 'made'],
        ['rename', 'inside.txt', 'moved.txt'],
        ['remove', 'inside.txt'],
        ['rmdir', 'sub'],
      ]) {
        const ran = await expectDenied(change, /was not granted fs-write/);
        expect(ran.error?.hint).toContain('fs-write:work');
      }
      // It does not look whether the file was opened.
      const before = place.state();
      const trapped = await run(['leave-open', 'inside.txt', 'x']);
      const says = /before that it was denied: .* was not granted fs-write/;
      expectFailure(place, trapped, { code: 'plugin-fault', exit: 6, says });
      expect(trapped.error?.hint).toContain('fs-write:work');
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'with it all of that is done',
    async () => {
      const args = [
        ...['write', 'one.txt', 'one', 'append', 'one.txt', ' two', 'mkdir', 'made'],
        ...['rename', 'one.txt', 'made/two.txt', 'truncate', 'made/two.txt', '5'],
        ...['write', 'three.tmp', 'three', 'rename', 'three.tmp', 'three.txt'],
        ...['write', 'three.tmp', 'four', 'rename', 'three.tmp', 'three.txt'],
        ...['write', 'gone.txt', '', 'remove', 'gone.txt', 'mkdir', 'empty', 'rmdir', 'empty'],
        ...['leave-open', 'open.txt', 'left'],
      ];
      expect((await outputOf(args, writing)).exitCode).toBe(0);
      expect(onDisk('made/two.txt')).toBe('one t');
      expect(onDisk('three.txt')).toBe('four');
      expect(onDisk('open.txt')).toBe('left');
      for (const name of ['one.txt', 'three.tmp', 'gone.txt', 'empty']) {
        expect(existsSync(join(place.work, name))).toBe(false);
      }
      for (const name of ['made', 'three.txt', 'open.txt'])
        rmSync(join(place.work, name), { recursive: true });
    },
  ],
});

escapeCase('wasi: a program that dies while it writes', {
  needs,
  denied: [
    'the old file stays as it was',
    async () => {
      put(place.work, 'kept.txt', 'old');
      const before = place.state();
      const ran = await run(['leave-open', 'kept.txt', 'half', 'abort'], writing);
      expectFailure(place, ran, { code: 'plugin-fault', exit: 6 });
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'of one that ends by exit it is replaced',
    async () => {
      expect(
        await outputOf(['leave-open', 'kept.txt', 'whole', 'exit', '0'], writing),
      ).toMatchObject({ exitCode: 0 });
      expect(onDisk('kept.txt')).toBe('whole');
    },
  ],
});

escapeCase('wasi: clock and random without a grant', {
  needs,
  denied: [
    'are the same in every call',
    async () => {
      const first = await outputOf(['clock', 'random'], { allow: [] });
      expect(first.stdout).toMatch(/^clock 1577836800 /);
      expect(await outputOf(['clock', 'random'], { allow: [] })).toEqual(first);
    },
  ],
  control: [
    'with it they are not',
    async () => {
      const granted = { allow: ['clock', 'random'] };
      const [first, second] = [
        await outputOf(['clock', 'random'], granted),
        await outputOf(['clock', 'random'], granted),
      ];
      expect(Number(/clock (\d+)/.exec(first.stdout)?.[1])).toBeGreaterThan(1_700_000_000);
      const drawn = [first, second].map(({ stdout }) => stdout.split('\n').at(-2));
      expect(drawn[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(drawn[0]).not.toBe(drawn[1]);
    },
  ],
});

escapeCase('wasi: exit', {
  needs,
  denied: [
    'it ends the call, and the process answers',
    async () => {
      const { stdout, exitCode } = await outputOf(['before', 'exit', '3', 'after'], { allow: [] });
      expect({ stdout, exitCode }).toEqual({ stdout: 'argument before\n', exitCode: 3 });
    },
  ],
  control: [
    'a program that returns says all it has to',
    async () => {
      const { stdout, exitCode } = await outputOf(['before', 'after'], { allow: [] });
      expect({ stdout, exitCode }).toEqual({
        stdout: 'argument before\nargument after\n',
        exitCode: 0,
      });
    },
  ],
});

escapeCase('wasi: thousands of descriptors', {
  needs,
  denied: [
    'it gets some hundred',
    async () => {
      const { stdout } = await outputOf(['open-many', 'inside.txt', '5000']);
      const opened = Number(/opened (\d+)/.exec(stdout)?.[1]);
      expect(opened).toBeGreaterThan(50);
      expect(opened).toBeLessThanOrEqual(128);
    },
  ],
  control: [
    'fifty are fifty',
    async () => {
      expect((await outputOf(['open-many', 'inside.txt', '50'])).stdout).toBe('opened 50\n');
    },
  ],
});

escapeCase('wasi: directory renamed with what it hides', {
  needs,
  denied: [
    'a protected name, a link and a repository in it are found before anything is changed',
    async () => {
      put(place.work, 'holds/first.txt', 'x');
      put(place.work, 'holds/deep/tls.key', 'k');
      put(place.work, 'linked/first.txt', 'x');
      symlinkSync('../../outside', join(place.work, 'linked/out'));
      put(place.work, 'clone/a.txt', 'x');
      put(place.work, 'clone/.git/HEAD', 'ref: refs/heads/main');
      for (const name of ['holds', 'clone']) {
        await expectDenied(['rename', name, 'elsewhere', 'exit', '4'], /protected file/, writing);
      }
      const before = place.state();
      const { stdout } = await outputOf(['rename', 'linked', 'elsewhere'], writing);
      expect(stdout).toMatch(/^rename linked/);
      expect(stdout).not.toContain('ok');
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'one that holds nothing of it is renamed, and undone',
    async () => {
      put(place.work, 'open/deep/a.txt', 'kept');
      await outputOf(['rename', 'open', 'renamed'], writing);
      expect(onDisk('renamed/deep/a.txt')).toBe('kept');
      expect(existsSync(join(place.work, 'open'))).toBe(false);
      const undone = await place.cuervo(['undo', '--yes', '--workspace', place.work]);
      expect(undone.exitCode).toBe(0);
      expect(onDisk('open/deep/a.txt')).toBe('kept');
      expect(existsSync(join(place.work, 'renamed'))).toBe(false);
    },
  ],
});

escapeCase('wasi: file above the limit', {
  needs,
  denied: [
    'who fails of it is told by the limit, whatever the program says, and no file is changed',
    async () => {
      const before = place.state();
      const ran = await run(['truncate', 'inside.txt', '5000000', 'exit', '4'], writing);
      const says =
        /a file of 5000000 bytes, limit 4194304 for one that is written; the program ended with exit code 4/;
      expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says });
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'below it the file is made, and an exit code is the own one of the program',
    async () => {
      put(place.work, 'longer.txt', 'begin');
      const { exitCode } = await outputOf(
        ['truncate', 'longer.txt', '4000000', 'exit', '4'],
        writing,
      );
      expect(exitCode).toBe(4);
      expect(onDisk('longer.txt')).toHaveLength(4_000_000);
    },
  ],
});

escapeCase('wasi: file cut at the limit', {
  needs,
  denied: [
    'a program that does not mind is told by the limit, too, and the old file stays',
    async () => {
      const before = place.state();
      const ran = await run(['truncate', 'inside.txt', '5000000', 'exit', '0'], writing);
      const says = /not saved: work:inside\.txt: a file of 5000000 bytes, limit 4194304/;
      expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says });
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'below the limit the same program changes the file and ends with 0',
    async () => {
      put(place.work, 'longer.txt', 'begin');
      const { exitCode } = await outputOf(['truncate', 'longer.txt', '5000', 'exit', '0'], writing);
      expect(exitCode).toBe(0);
      expect(onDisk('longer.txt')).toHaveLength(5000);
    },
  ],
});

escapeCase('wasi: flood of standard output', {
  needs,
  denied: [
    'it is stopped at the limit, and the result says that it was cut',
    async () => {
      const output = await outputOf(['flood', '50000000'], { allow: [] });
      expect(output).toMatchObject({ exitCode: 1, truncated: true });
      expect(output.stderr).toContain('flood stopped');
      expect(output.stdout.length).toBeLessThanOrEqual(1024 * 1024);
    },
  ],
  control: [
    'half of it is given whole',
    async () => {
      const output = await outputOf(['flood', '500000'], { allow: [] });
      expect(output.exitCode).toBe(0);
      expect(output.stdout.length).toBe(Math.ceil(500_000 / 1024) * 1024);
    },
  ],
});

escapeCase('wasi: sleep past the deadline', {
  needs,
  denied: [
    'it ends at the deadline',
    async () => {
      const ran = await run(['sleep', '1000'], {
        allow: ['clock'],
        args: ['--timeout', '1'],
        giveUpMs: 30_000,
      });
      expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5 });
    },
  ],
  control: [
    'without the clock an age takes no time, with it a second does',
    async () => {
      expect((await outputOf(['sleep', '1000000'], { allow: [] })).stdout).toBe('slept 0\n');
      expect((await outputOf(['sleep', '1'], { allow: ['clock'] })).stdout).toBe('slept 0\n');
    },
  ],
});
