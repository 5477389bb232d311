import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shownText } from '../fixtures/terminal/shown-text.ts';
import type { Ran } from '../support/run-cuervo.ts';
import type { Outcome } from './guests/attempt.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { cuervo } from './support/paths.ts';
import {
  expectFailure,
  expectNoSecret,
  expectSuccess,
  type Place,
  put,
  usePlace,
} from './support/place.ts';

/** Small enough that a test reaches each of them. */
const limits = `[exec]
max-processes = 64
max-file-bytes = 4194304
max-memory-bytes = 268435456
max-output-bytes = 100000
`;

const fill = async (made: Place): Promise<void> => {
  const { work, outside } = made;
  put(work, 'sub/deep/file.txt', 'below\n');
  chmodSync(put(work, 'evil', '#!/bin/sh\necho evil\n'), 0o755);
  put(work, '.env', `TOKEN=${made.secret}\n`);
  put(work, 'keys/server.pem', made.secret);
  put(work, '.git/config', `[core]\n\tremark = ${made.secret}\n`);
  put(work, '.git/HEAD', 'ref: refs/heads/main\n');
  put(work, '.git/hooks/pre-commit', '#!/bin/sh\n');
  put(work, 'config/environment.txt', made.secret);
  put(work, '.aws/credentials', made.secret);
  put(work, 'cloud/.docker/config.json', made.secret);
  symlinkSync('config/environment.txt', join(work, '.env.local'));
  symlinkSync(outside, join(work, 'to-outside'));
  symlinkSync('..', join(work, 'to-parent'));
  symlinkSync('sub/deep', join(work, 'to-deep'));
  await made.install(await buildGuest('program-runner'));
};
const place = usePlace({ config: limits, fill });
/** The same without the sandbox: what its owner wrote into the configuration. */
const open = usePlace({ config: `${limits}sandbox = "none"\n`, fill });

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

type Command = {
  program: string;
  args?: readonly string[];
  cwd?: string;
  stdin?: string;
  timeoutMs?: number;
  maxOutputBytes?: number;
};
type Output = {
  exitCode?: number;
  signal?: string;
  stdout: string;
  stderr: string;
  truncated: boolean;
};

const granted = (program: string): string[] => ['fs:work', `exec:${program}`];
const go = (command: Command, allow = granted(command.program), at = place): Promise<Ran> =>
  at.run('program-runner.go', command, { allow });
const shell = (script: string, more: Partial<Command> = {}): Promise<Ran> =>
  go({ program: 'sh', args: ['-c', script], ...more });
const outputOf = (ran: Ran): Output => expectSuccess(ran) as Output;
const tryAll = async (commands: readonly Command[], allow: readonly string[]): Promise<Outcome[]> =>
  outcomesOf(place, await place.run('program-runner.try-all', { commands }, { allow }));

/** Whether a process with this word in its vector runs anywhere on the machine. */
function isRunning(word: string): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

/** Processes end a moment after they were killed. */
async function expectGone(word: string): Promise<void> {
  await expect.poll(() => isRunning(word), { timeout: 5000 }).toBe(false);
}

escapeCase('program that was not granted', {
  needs,
  denied: [
    [
      'nothing is run without a grant',
      async () => {
        const ran = await go({ program: 'touch', args: ['made.txt'] }, ['fs:work']);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /not granted exec/ });
        expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
      },
    ],
    [
      'the grant of one program is none of another, and tells nothing of it',
      async () => {
        const commands = ['touch', 'no-such-program', 'tru', 'truer', 'TRUE'].map((program) => ({
          program,
          args: ['made.txt'],
        }));
        expectAllRefused(await tryAll(commands, granted('true')), ['denied']);
        expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
      },
    ],
    [
      'a tool that promised to write at most runs nothing',
      async () => {
        const ran = await place.run(
          'program-runner.liar',
          { program: 'true' },
          { allow: granted('true') },
        );
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /effect "write"/ });
      },
    ],
    [
      'the grant of a program is none of a root to run it in',
      async () => {
        const ran = await go({ program: 'true' }, ['exec:true']);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /no root/ });
      },
    ],
  ],
  control: [
    'with the grant it runs, and its exit code is an answer',
    async () => {
      expect(outputOf(await go({ program: 'true' }))).toMatchObject({ exitCode: 0 });
      expect(outputOf(await go({ program: 'false' }))).toMatchObject({ exitCode: 1 });
      expect(outputOf(await shell('kill -SEGV $$'))).toMatchObject({ signal: 'SIGSEGV' });
    },
  ],
});

const forbidden: readonly Command[] = [
  { program: 'rm', args: ['-rf', '/'] },
  { program: 'rm', args: ['-r', '--no-preserve-root', '/'] },
  { program: 'rm', args: ['-fR', '/usr/lib'] },
  { program: 'dd', args: ['if=/dev/zero', 'of=/dev/sda'] },
  { program: 'mkfs.ext4', args: ['/dev/sda1'] },
  { program: 'chmod', args: ['-R', '777', '/'] },
  { program: 'kill', args: ['-9', '-1'] },
  { program: 'sudo', args: ['-n', 'true'] },
  { program: 'shutdown', args: ['-h', 'now'] },
  { program: 'sh', args: ['-c', 'true; rm -rf /'] },
  { program: 'env', args: ['A=1', 'timeout', '5', 'rm', '-rf', '/etc'] },
];

escapeCase('command that destroys a system', {
  needs,
  denied: [
    'a grant of its program does not cover it, however the guest calls it',
    async () => {
      const programs = [...new Set(forbidden.map(({ program }) => program))];
      const grants = ['fs:work', 'fs-write:work', ...programs.map((program) => `exec:${program}`)];
      expectAllRefused(await tryAll(forbidden, grants), ['denied']);
      const [first] = forbidden;
      const ran = await go(first as Command, grants);
      expectFailure(place, ran, {
        code: 'permission-denied',
        exit: 3,
        says: /folder of the system or a home/,
      });
    },
  ],
  control: [
    'what is of the workspace alone is covered by the same grants',
    async () => {
      const grants = ['fs:work', 'fs-write:work', 'exec:rm', 'exec:dd', 'exec:sh'];
      put(place.work, 'build/a.txt', 'a');
      outputOf(await go({ program: 'dd', args: ['if=build/a.txt', 'of=copy.txt'] }, grants));
      expect(readFileSync(join(place.work, 'copy.txt'), 'utf8')).toBe('a');
      outputOf(await go({ program: 'rm', args: ['-rf', 'build'] }, grants));
      expect(existsSync(join(place.work, 'build'))).toBe(false);
      outputOf(await go({ program: 'sh', args: ['-c', 'true; rm -f copy.txt'] }, grants));
      expect(existsSync(join(place.work, 'copy.txt'))).toBe(false);
    },
  ],
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: what a shell would put something in for
const hostile = [
  ...['$(touch made.txt)', '`touch made.txt`', '; touch made.txt', '&& touch made.txt'],
  ...['| touch made.txt', '> made.txt', "'; touch made.txt; '", '"; touch made.txt; "'],
  ...['a\ntouch made.txt', '\r\n', '\\', "'", '"', '', ' ', '*', '~', '$HOME', '${IFS}', '!!'],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: what a shell would put something in for
  ...['-c', '--', '-n', '--args', '--bind', '-e', '\u001b[2J', 'ü😀', '%s', '\\0'],
];

escapeCase('arguments that a shell would obey', {
  needs,
  denied: [
    [
      'none of them makes a file, whatever it says',
      async () => {
        const commands = hostile.flatMap((arg) => [
          { program: 'true', args: [arg] },
          { program: 'true', args: [arg, arg] },
        ]);
        const outcomes = await tryAll(commands, granted('true'));
        expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
        expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
      },
    ],
    [
      'each arrives byte for byte',
      async () => {
        const ran = await go({ program: 'printf', args: ['%s\\0', ...hostile] });
        expect(outputOf(ran).stdout.split('\0')).toEqual([...hostile, '']);
      },
    ],
    [
      'a NUL, which would end the argument, is refused',
      async () => {
        const commands = [{ program: 'true', args: ['a\0b'] }];
        expectAllRefused(await tryAll(commands, granted('true')), ['invalid']);
      },
    ],
    [
      'more than fits is a limit',
      async () => {
        const commands = [{ program: 'true', args: ['x'.repeat(60_000), 'x'.repeat(60_000)] }];
        expectAllRefused(await tryAll(commands, granted('true')), ['limit']);
      },
    ],
  ],
  control: [
    'plain words arrive',
    async () => {
      const ran = await go({ program: 'printf', args: ['%s,', 'one', 'two'] });
      expect(outputOf(ran).stdout).toBe('one,two,');
    },
  ],
});

escapeCase('program by a path', {
  needs,
  denied: [
    [
      'a path is not a name, from wherever',
      async () => {
        const paths = [
          ...['./evil', 'evil/', '../work/evil', '/bin/sh', 'sub/../evil', '..', '.', '', '-x'],
          ...[join(place.work, 'evil'), 'work:evil', 'sh\0', 'sh ', ' sh', 'sh\n', 'ｓｈ'],
        ];
        const commands = paths.map((program) => ({ program }));
        const outcomes = await tryAll(commands, granted('sh'));
        expectAllRefused(outcomes, ['invalid', 'denied']);
      },
    ],
    [
      'a file of the workspace is not a program by its name alone',
      async () => {
        const outcomes = await tryAll([{ program: 'evil', cwd: 'work:' }], granted('evil'));
        expectAllRefused(outcomes, ['not-found']);
      },
    ],
  ],
  control: [
    'a name is found where the system installs programs',
    async () => {
      const ran = await shell('echo "$0"; command -v sh');
      expect(outputOf(ran).stdout).toMatch(/^\/(usr\/)?bin\/sh\n\/(usr\/)?bin\/sh\n$/);
    },
  ],
});

escapeCase('working directory outside', {
  needs,
  denied: [
    'neither by a path, nor by another root, nor by a link, nor in what is protected',
    async () => {
      const folders = [
        ...['..', 'work:..', 'work:sub/../..', '/', place.outside, 'other:', 'home:'],
        ...['work:to-outside', 'work:to-parent', 'work:to-parent/outside', 'work:.git/hooks'],
        ...['work:inside.txt', 'work:nowhere', '', 'work:sub\0'],
      ];
      const commands = folders.map((cwd) => ({ program: 'pwd', cwd }));
      const outcomes = await tryAll(commands, granted('pwd'));
      expectAllRefused(outcomes, ['denied', 'invalid', 'not-found']);
    },
  ],
  control: [
    'a folder below the root, and a link that stays inside',
    async () => {
      const pwd = async (cwd: string) => outputOf(await go({ program: 'pwd', cwd })).stdout;
      expect(await pwd('work:sub')).toBe('/roots/work/sub\n');
      expect(await pwd('work:to-deep')).toBe('/roots/work/sub/deep\n');
    },
  ],
});

/** Told apart from those of any other run, and over by themselves where nothing ends them. */
const nap = (): string => `45.${randomInt(1_000_000, 10_000_000)}`;
const naps = { left: nap(), late: nap(), killed: nap() };

escapeCase('process tree that outlives its parent', {
  needs,
  denied: [
    [
      'what is left in a session of its own ends with the program',
      async () => {
        const ran = await shell(`(setsid sleep ${naps.left} &); sleep ${naps.left} & echo started`);
        expect(outputOf(ran)).toMatchObject({ exitCode: 0, stdout: 'started\n' });
        await expectGone(naps.left);
      },
    ],
    [
      'all of it ends at the deadline',
      async () => {
        const ran = await shell(`(setsid sleep ${naps.late} &); sleep ${naps.late}`, {
          timeoutMs: 500,
        });
        expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5, says: /longer than 500/ });
        await expectGone(naps.late);
      },
    ],
    [
      'all of it ends when the kernel is killed',
      async () => {
        let pid = 0;
        const running = place.run(
          'program-runner.go',
          { program: 'sh', args: ['-c', `(setsid sleep ${naps.killed} &); sleep ${naps.killed}`] },
          { allow: granted('sh'), onStart: (started) => (pid = started) },
        );
        await expect.poll(() => isRunning(`sleep\0${naps.killed}`), { timeout: 20_000 }).toBe(true);
        process.kill(pid, 'SIGKILL');
        await running;
        await expectGone(naps.killed);
      },
    ],
  ],
  control: [
    'a program may start others and wait for them',
    async () => {
      const ran = await shell('(setsid sh -c "echo child" &); sleep 0.2 & wait; sleep 0.2');
      expect(outputOf(ran)).toMatchObject({ exitCode: 0, stdout: 'child\n' });
    },
  ],
});

escapeCase('fork bomb', {
  needs,
  denied: [
    'it is ended at the limit, and nothing of it is left',
    async () => {
      const bomb = 'bomb(){ bomb 3034 | bomb 3034 & bomb 3034 | bomb 3034; }; bomb 3034';
      const ran = await shell(bomb, { timeoutMs: 20_000 });
      // By the system it can fork no more, or it is ended for what it has.
      if (ran.error === undefined) expect(outputOf(ran).stderr).toMatch(/fork/i);
      else expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /64 processes/ });
      await expectGone('bomb 3034');
    },
  ],
  control: [
    'twenty processes at once are none',
    async () => {
      const script = 'i=0; while [ $i -lt 20 ]; do sleep 0.3 & i=$((i+1)); done; wait; echo $i';
      expect(outputOf(await shell(script))).toMatchObject({ exitCode: 0, stdout: '20\n' });
    },
  ],
});

escapeCase('program that fills the disk', {
  needs,
  denied: [
    'a file ends at the limit',
    async () => {
      const args = ['if=/dev/zero', 'of=full.bin', 'bs=1M', 'count=6'];
      expect(outputOf(await go({ program: 'dd', args }))).toMatchObject({ signal: 'SIGXFSZ' });
      expect(statSync(join(place.work, 'full.bin')).size).toBe(4 * 1024 * 1024);
    },
  ],
  control: [
    'one below it is written whole',
    async () => {
      const args = ['if=/dev/zero', 'of=fits.bin', 'bs=1M', 'count=3'];
      expect(outputOf(await go({ program: 'dd', args }))).toMatchObject({ exitCode: 0 });
      expect(statSync(join(place.work, 'fits.bin')).size).toBe(3 * 1024 * 1024);
    },
  ],
});

const buffer = (size: string): Command => ({
  program: 'dd',
  args: ['if=/dev/zero', 'of=/dev/null', `bs=${size}`, 'count=1'],
});

escapeCase('memory of a program', {
  needs,
  denied: [
    [
      'one process gets no more than the limit',
      async () => {
        const { exitCode, stderr } = outputOf(await go(buffer('300M')));
        expect(exitCode).toBe(1);
        expect(stderr).toContain('memory exhausted');
      },
    ],
    [
      'several share it',
      async () => {
        const holder = '(head -c 120000000 /dev/zero | tail -c 119999999 | sleep 8) &';
        const ran = await shell(`${holder} ${holder} ${holder} ${holder} wait`);
        expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /268435456 bytes/ });
      },
    ],
  ],
  control: [
    'what is below it is had',
    async () => {
      expect(outputOf(await go(buffer('200M')))).toMatchObject({ exitCode: 0 });
    },
  ],
});

escapeCase('endless output', {
  needs,
  denied: [
    [
      'no more than the limit reaches the guest, and the program ends',
      async () => {
        const output = outputOf(await go({ program: 'yes' }));
        expect(output).toMatchObject({ truncated: true, signal: 'SIGKILL' });
        expect(output.stdout).toHaveLength(100_000);
      },
    ],
    [
      'both outputs share it, and a guest may ask for less and not for more',
      async () => {
        const script = 'head -c 80000 /dev/zero >&2; head -c 80000 /dev/zero';
        const { stdout, stderr, truncated } = outputOf(await shell(script));
        expect({ length: stdout.length + stderr.length, truncated }).toEqual({
          length: 100_000,
          truncated: true,
        });
        const less = await go({ program: 'yes', maxOutputBytes: 10 });
        expect(outputOf(less).stdout).toBe('y\ny\ny\ny\ny\n');
        const more = await go({ program: 'yes', maxOutputBytes: 4_000_000_000 });
        expect(outputOf(more).stdout).toHaveLength(100_000);
      },
    ],
  ],
  control: [
    'what fits arrives whole, and what is not UTF-8 is replaced',
    async () => {
      const output = outputOf(await shell("printf 'a\\377b'; printf 'ü' >&2"));
      expect(output).toMatchObject({ stdout: 'a\ufffdb', stderr: 'ü', truncated: false });
    },
  ],
});

escapeCase('environment of a program', {
  needs,
  denied: [
    'nothing of the user is in it, and its home is empty',
    async () => {
      const ran = await place.run(
        'program-runner.go',
        { program: 'sh', args: ['-c', 'env; id; ls -A ~; cat /etc/passwd; hostname'] },
        { allow: granted('sh'), env: { TOKEN: place.secret, BASH_ENV: '/x', LD_PRELOAD: '' } },
      );
      expectNoSecret(place, ran);
      const { stdout } = outputOf(ran);
      expect(stdout).not.toMatch(/TOKEN|BASH_ENV|LD_|CUERVO|USER=|\broot\b/);
      expect(stdout).toContain('HOME=/tmp/home\n');
    },
  ],
  control: [
    'it finds its path, and what it sets itself',
    async () => {
      const ran = await shell('OWN=1 env');
      expect(outputOf(ran).stdout).toMatch(/^PATH=\/.+$/m);
      expect(outputOf(ran).stdout).toMatch(/^OWN=1$/m);
    },
  ],
});

escapeCase('protected file by a program', {
  needs,
  denied: [
    [
      'it is not read by its name, through a link, nor found by a search',
      async () => {
        const names = ['.env', '.env.local', 'keys/server.pem', '.git/config'];
        const script = `cat ${names.join(' ')} config/environment.txt; grep -r outside- .; cp .env copy; cat copy`;
        const ran = await shell(script);
        expectNoSecret(place, ran);
        expect(outputOf(ran).stdout).not.toContain(place.secret);
      },
    ],
    [
      'it is neither written, moved, removed nor reached by moving what holds it',
      async () => {
        const before = readFileSync(join(place.work, '.git/config'), 'utf8');
        const script = [
          'echo x >> .git/config; echo x > .git/hooks/pre-commit; echo x > .git/hooks/post-commit',
          'rm -f .env .git/config; rm -rf .git/hooks; mv .env moved; mv .git moved; ln .env linked',
          'mv keys locks; cat locks/server.pem; mv locks keys; echo x > .git/HEAD',
        ].join('; ');
        const ran = await shell(script);
        expectNoSecret(place, ran);
        expect(outputOf(ran).stderr).toMatch(/Read-only file system/);
        expect(readFileSync(join(place.work, '.git/config'), 'utf8')).toBe(before);
        expect(readFileSync(join(place.work, '.env'), 'utf8')).toContain(place.secret);
        expect(readdirSync(join(place.work, '.git/hooks'))).toEqual(['pre-commit']);
        expect(readFileSync(join(place.work, '.git/HEAD'), 'utf8')).toContain('refs/heads');
      },
    ],
    [
      'a folder that protects by its name, or where it lies, is not moved away',
      async () => {
        const moves = ['.aws', 'cloud/.docker', 'config'];
        const script = moves
          .map((path, at) => `mv ${path} moved${at}; cat moved${at}/*; `)
          .join('');
        const ran = await shell(`${script}mv config/environment.txt told; cat told`);
        expectNoSecret(place, ran);
        expect(outputOf(ran).stdout).not.toContain(place.secret);
        expect(moves.map((path) => existsSync(join(place.work, path)))).toEqual([true, true, true]);
      },
    ],
  ],
  control: [
    'any other file is read and written',
    async () => {
      const ran = await shell('cat inside.txt; echo new > written.txt; mv written.txt renamed.txt');
      expect(outputOf(ran).stdout).toBe(`${place.inside}\n`);
      expect(readFileSync(join(place.work, 'renamed.txt'), 'utf8')).toBe('new\n');
    },
  ],
});

escapeCase('program that leaves something to obey', {
  needs,
  denied: [
    [
      'a hook, a repository and a start-up file lose their names',
      () =>
        expectWithheld([
          ['mkdir -p fresh/.git/hooks; echo x > fresh/.git/hooks/pre-commit', 'fresh/.git'],
          ['echo "gitdir: ../evil" > sub/.git', 'sub/.git'],
          ['echo x > sub/.npmrc', 'sub/.npmrc'],
          ['echo x > .bashrc', '.bashrc'],
          ['mkdir -p sub/.hg; echo "[hooks]" > sub/.hg/hgrc', 'sub/.hg/hgrc'],
          ['mkdir -p sub/.jj/repo; echo > sub/.jj/repo/config.toml', 'sub/.jj/repo/config.toml'],
          ['ln -s evil sub/.env', 'sub/.env'],
        ]),
    ],
    [
      'not by setting back the time of its folder',
      () =>
        expectWithheld([
          ['touch -r sub /tmp/then; echo x > sub/.npmrc; touch -r /tmp/then sub', 'sub/.npmrc'],
        ]),
    ],
    [
      'so does what git obeys in a folder of any name',
      () =>
        expectWithheld([
          [
            'cd sub; mkdir objects refs; echo ref: refs/heads/a > HEAD; echo > config',
            'sub/config',
          ],
        ]),
    ],
  ],
  control: [
    'a folder and a file by other names stay',
    async () => {
      expect(
        outputOf(await shell('mkdir -p fresh/hooks; echo x > fresh/hooks/pre-commit')),
      ).toEqual(expect.objectContaining({ exitCode: 0 }));
      expect(existsSync(join(place.work, 'fresh/hooks/pre-commit'))).toBe(true);
    },
  ],
});

/** Each of the scripts leaves the path behind, and it has lost its name. */
async function expectWithheld(scripts: readonly (readonly [string, string])[]): Promise<void> {
  for (const [script, path] of scripts) {
    const ran = await shell(script);
    expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /withheld/ });
    expect(existsSync(join(place.work, path)), path).toBe(false);
  }
}

escapeCase('write outside by a program', {
  needs,
  denied: [
    'outside of the roots there is nothing to write or read',
    async () => {
      const before = readdirSync(place.outside);
      const targets = [place.outside, '/roots', '/', '/usr/bin', '/etc', 'to-outside', '..'];
      const script = targets.map((folder) => `echo x > '${folder}/planted'`).join('; ');
      const ran = await shell(`${script}; cat '${place.outside}/secret.txt' to-outside/secret.txt`);
      expectNoSecret(place, ran);
      expect(outputOf(ran).stdout).toBe('');
      expect(readdirSync(place.outside)).toEqual(before);
      for (const folder of ['/usr/bin', '/etc', '/', '/tmp', place.dir])
        expect(existsSync(join(folder, 'planted')), folder).toBe(false);
    },
  ],
  control: [
    'below the workspace and in its own scratch folder it writes',
    async () => {
      const ran = await shell('echo x > sub/kept.txt; echo y > /tmp/planted; cat /tmp/planted');
      expect(outputOf(ran).stdout).toBe('y\n');
      expect(existsSync(join(place.work, 'sub/kept.txt'))).toBe(true);
      expect(existsSync('/tmp/planted')).toBe(false);
    },
  ],
});

/** Counts who connects while `work` runs. */
async function countConnections(work: (port: number) => Promise<void>): Promise<number> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.end('hello\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    await work(typeof address === 'object' && address !== null ? address.port : 0);
    return connections;
  } finally {
    server.close();
  }
}

const connect = (port: number, at: Place): Promise<Ran> =>
  go(
    { program: 'bash', args: ['-c', `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`] },
    granted('bash'),
    at,
  );

escapeCase('network from a program', {
  needs,
  denied: [
    'nobody is reached, not even on this machine',
    async () => {
      const connections = await countConnections(async (port) => {
        expect(outputOf(await connect(port, place)).stdout).toBe('');
      });
      expect(connections).toBe(0);
    },
  ],
  control: [
    'the same program reaches the server where its owner took the sandbox away',
    async () => {
      const connections = await countConnections(async (port) => {
        expect(outputOf(await connect(port, open)).stdout).toBe('hello\n');
      });
      expect(connections).toBe(1);
    },
  ],
});

/** What a terminal is sent when a program prints, as `printf` writes it. */
function onTerminal(format: string, flags: readonly string[] = []): string {
  const words = [
    ...[process.execPath, cuervo, 'run', 'program-runner.say'],
    ...[JSON.stringify({ program: 'printf', args: [format] }), '--workspace', place.work],
    ...['--allow', 'fs:work', '--allow', 'exec:printf', ...flags],
  ];
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return execFileSync('/bin/sh', ['-c', 'script -qec "$1" /dev/null', 'sh', line], {
    env: { PATH: process.env.PATH, CUERVO_HOME: place.home, SHELL: '/bin/sh' },
    encoding: 'utf8',
  });
}

escapeCase('terminal escapes of a program', {
  needs: {
    file: '/usr/bin/script and bwrap',
    install: 'sudo apt-get install bsdutils bubblewrap',
    isThere: () => ['/usr/bin/script', '/usr/bin/bwrap'].every((file) => existsSync(file)),
  },
  denied: [
    [
      'what it prints moves no cursor and sets no title',
      () => {
        const shown = shownText(onTerminal('\\033[2J\\033]0;owned\\007\\302\\233x\\r'));
        expect(shown).toContain('owned');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
        expect(shown).not.toMatch(/\u001b(?:\[2J|\])|[\u0000-\u0008\u007f-\u009f]|\r(?!\n)/);
      },
    ],
    [
      'nor as JSON, which lets some of it through',
      () => {
        const shown = onTerminal('\\302\\2332J\\302\\235owned\\177\\342\\200\\256', ['--json']);
        expect(shown).toContain('owned');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
        expect(shown).not.toMatch(/[\u0000-\u0008\u007f-\u009f\u202e]/);
      },
    ],
  ],
  control: [
    'words and lines are printed as they are',
    () => {
      expect(onTerminal('one\\ntwo ü\\n')).toContain('one\r\ntwo ü');
    },
  ],
});

escapeCase('CUERVO_HOME by a program', {
  needs,
  denied: [
    'it is empty where it lies in the workspace, and not there where it does not',
    async () => {
      const files = [join(place.home, 'config.toml'), 'home/config.toml', 'home/cuervo.db'];
      const script = `cat ${files.join(' ')}; ls -A home; echo x > home/planted`;
      const ran = await place.run(
        'program-runner.go',
        { program: 'sh', args: ['-c', script] },
        { allow: granted('sh'), workspace: place.dir },
      );
      expect(outputOf(ran).stdout).toBe('');
      expect(existsSync(join(place.home, 'config.toml'))).toBe(true);
      expect(existsSync(join(place.home, 'planted'))).toBe(false);
    },
  ],
  control: [
    'the folder beside it is read',
    async () => {
      const ran = await place.run(
        'program-runner.go',
        { program: 'cat', args: ['work/inside.txt'] },
        { allow: granted('cat'), workspace: place.dir },
      );
      expect(outputOf(ran).stdout).toBe(`${place.inside}\n`);
    },
  ],
});
