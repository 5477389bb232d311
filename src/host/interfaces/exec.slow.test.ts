import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuthorityRequest } from '../../contracts/consent.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { once } from '../../lib/memo.ts';
import { findProgram } from '../../programs/exec/find-program.ts';
import { findSandbox } from '../../programs/exec/find-sandbox.ts';
import { defaultExecLimits } from '../../programs/exec/launch-scripts.ts';
import type { ProgramOutput } from '../../programs/exec/run-launch.ts';
import { createExecServices, type ExecPorts } from './exec.ts';

let dir: string;
let work: string;
let asked: AuthorityRequest[];
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-exec-')));
  work = join(dir, 'work');
  mkdirSync(work);
  mkdirSync(join(dir, 'home'));
  asked = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const running = (text: string): boolean =>
  execFileSync('ps', ['ax', '-o', 'args='], { encoding: 'utf8' }).includes(text);

type Options = Partial<ExecPorts> & { readOnly?: boolean; args?: readonly string[] };

function open({ readOnly = false, args, ...more }: Options = {}) {
  const ports: ExecPorts = {
    authorize: async (request) => {
      asked.push(request);
      const given = request.capability === 'exec' ? request.args : [];
      return { args: args ?? given, readOnly, origins: [] };
    },
    rootsOf: async () => ({ work }),
    lookUp: async (program) => findProgram(program, [work]),
    protectedPaths: {},
    askGit: async () => ({ exitCode: 1, stdout: '', stderr: '' }),
    gitAttributesFile: '/nonexistent',
    askGrant: async (_, missing) => {
      throw missing;
    },
    gitSafeFolders: async () => [],
    gitCredential: async () => undefined,
    gitSsh: () => ({ program: '', agent: '', home: '' }),
    changes: { foresee: async () => [], watch: async () => async () => [] },
    warn: () => {},
    home: join(dir, 'home'),
    sandbox: once(() => findSandbox('os')),
    limits: defaultExecLimits,
    keepOutput: async () => ({ write: () => {}, end: () => {} }),
    resolve: async () => [],
    ...more,
  };
  const service = createExecServices(ports)['exec.run'];
  return async (program: string, vector: readonly string[] = [], rest: object = {}) => {
    const command = { program, args: vector, cwd: 'work:', timeoutMs: 0, maxOutputBytes: 0 };
    const { signal } = new AbortController();
    const caller = { plugin: 'p', digest: 'd', signal };
    const answer = await service([{ ...command, ...rest }], { ...caller, ...rest });
    return { ...answer, value: answer.value as ProgramOutput };
  };
}

const install = existsSync('/usr/bin/bwrap')
  ? ''
  : ' (needs bwrap: sudo apt-get install bubblewrap)';
const sandboxed = describe.skipIf(install !== '');

sandboxed(`exec.run in bubblewrap${install}`, () => {
  it('hands the request on, and tells the journal the vector', async () => {
    const run = open();
    const { value, target, bytes } = await run('cat', ['-'], { stdin: 'given\n' });
    expect(value).toMatchObject({ exitCode: 0, stdout: 'given\n', stderr: '', truncated: false });
    expect({ target, bytes }).toEqual({ target: 'cat -', bytes: 6 });
    expect(asked).toEqual([
      { capability: 'exec', program: 'cat', args: ['-'], cwd: 'work:', stdin: 'given\n' },
    ]);
  });

  it('does not have git call a masked file modified that is not, nor show it', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: work, stdio: 'ignore' });
    for (const name of ['.npmrc', '.env', 'a']) writeFileSync(join(work, name), `${name} 1\n`);
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=n', '-c', 'user.email=n@example.org', 'commit', '--quiet', '-m', 'one');
    const run = open({ readOnly: true });
    const status = async () => (await run('git', ['status', '--porcelain'])).value.stdout;
    expect(await status()).toBe('');
    expect((await run('git', ['diff'])).value).toMatchObject({ exitCode: 0, stdout: '' });
    writeFileSync(join(work, '.npmrc'), 'token\n');
    expect(await status()).toBe(' M .npmrc\n');
    const shown = (await run('git', ['diff'])).value;
    expect(shown.stdout + shown.stderr).not.toContain('token');
    expect((await run('cat', ['.npmrc'])).value.stderr).toContain('Permission denied');
  });

  /** A repository with a protected file that is tracked. */
  const startRepository = (folder: string, ...options: string[]) => {
    mkdirSync(folder, { recursive: true });
    const git = (...args: string[]) => {
      const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
      const more = ['-c', 'protocol.file.allow=always'];
      execFileSync('git', [...who, ...more, ...args], { cwd: folder, stdio: 'ignore' });
    };
    for (const name of ['.env', 'a']) writeFileSync(join(folder, name), `${name} 1\n`);
    git('init', '--quiet', ...options);
    git('add', '.');
    git('commit', '--quiet', '-m', 'one');
    return git;
  };

  it.each([
    [
      'a submodule',
      'sub',
      () => startRepository(work)('submodule', 'add', join(dir, 'lib'), 'sub'),
    ],
    ['a linked work tree', 'sub', () => startRepository(work)('worktree', 'add', 'sub')],
    ['one whose objects are SHA-256', '', () => startRepository(work, '--object-format=sha256')],
  ])('knows masked files of %s', async (_, folder, make) => {
    startRepository(join(dir, 'lib'));
    make();
    const run = open({ readOnly: true });
    const place = { cwd: `work:${folder}` };
    const said = async (...args: string[]) => (await run('git', args, place)).value;
    const status = ['status', '--porcelain'];
    expect(await said(...status)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(await said('diff', '--stat')).toMatchObject({ exitCode: 0, stdout: '' });
    writeFileSync(join(work, folder, 'a'), 'other\n');
    expect((await said(...status)).stdout).toBe(' M a\n');
    // control: what was changed is still called so, and not shown
    writeFileSync(join(work, folder, '.env'), 'token\n');
    expect((await said(...status)).stdout).toBe(' M .env\n M a\n');
    expect((await said('diff')).stdout).not.toContain('token');
    expect((await said('log', '--format=%s')).stdout).toBe('one\n');
    expect(readdirSync(join(dir, 'home/sandbox')).filter((name) => /^index/.test(name))).toEqual(
      [],
    );
  });

  it('lets git commit in a linked work tree, and nobody else find where it lies', async () => {
    startRepository(work)('worktree', 'add', '--quiet', 'sub');
    writeFileSync(join(work, 'sub/a'), 'other\n');
    const run = open();
    const me = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
    const { value } = await run('git', [...me, 'commit', '-am', 'two'], { cwd: 'work:sub' });
    expect(value.stderr).toContain('.env');
    const made = await run('git', [...me, 'commit', '-m', 'two', 'a'], { cwd: 'work:sub' });
    expect(made.value).toMatchObject({ exitCode: 0 });
    expect((await run('ls', [work])).value.stderr).toContain('No such file');
  });

  it('sees no repository that lies outside of the root', async () => {
    startRepository(join(dir, 'lib'))('worktree', 'add', '--quiet', join(work, 'sub'));
    const run = open({ readOnly: true });
    await expect(run('git', ['status'], { cwd: 'work:sub' })).rejects.toMatchObject({
      tag: 'denied',
      hint: expect.stringContaining(`git repository:${join(dir, 'lib/.git')} --project`),
    });
    // What that git did not know is not what the next one goes by.
    startRepository(work);
    expect((await run('git', ['status', '--porcelain'])).value).toMatchObject({ exitCode: 0 });
  });

  it('runs the arguments that were allowed, and checks those again', async () => {
    expect((await open({ args: ['other'] })('echo', ['mine'])).value.stdout).toBe('other\n');
    await expect(open({ args: ['a\0b'] })('echo', ['mine'])).rejects.toMatchObject({
      tag: 'invalid',
    });
  });

  it('lets a reader write nothing', async () => {
    writeFileSync(join(work, 'a.txt'), 'kept');
    const script = 'cat a.txt; echo x > a.txt; echo x > new.txt; rm a.txt';
    const { value } = await open({ readOnly: true })('sh', ['-c', script]);
    expect(value.stdout).toBe('kept');
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('kept');
    expect(existsSync(join(work, 'new.txt'))).toBe(false);
    // control: without that it may
    await open()('sh', ['-c', 'echo x > new.txt']);
    expect(existsSync(join(work, 'new.txt'))).toBe(true);
  });

  it('lets git write its repository, but for hooks and configuration', async () => {
    const run = open();
    mkdirSync(join(work, '.git/hooks'), { recursive: true });
    for (const folder of ['objects', 'refs/heads'])
      mkdirSync(join(work, '.git', folder), { recursive: true });
    writeFileSync(join(work, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(work, '.git/config'), '[core]\n\tfsmonitor = touch owned\n');
    const me = ['-c', 'user.name=a', '-c', 'user.email=b'];
    const { value } = await run('git', [...me, 'commit', '--allow-empty', '-m', 'first']);
    expect(value).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(work, '.git/refs/heads/main'))).toBe(true);
    expect((await run('git', ['config', 'core.fsmonitor', 'touch owned'])).value.exitCode).not.toBe(
      0,
    );
    await run('git', ['status']);
    expect(existsSync(join(work, 'owned'))).toBe(false);
  });

  it('ends a program with the call that started it', async () => {
    const controller = new AbortController();
    const ended = open()('sleep', ['60.21'], { signal: controller.signal });
    const refused = expect(ended).rejects.toMatchObject({ tag: 'timeout', target: 'sleep 60.21' });
    await vi.waitUntil(() => running('sleep 60.21'), { timeout: 20_000 });
    controller.abort();
    await refused;
  });
});

describe.each([
  ['in bubblewrap', 'os'],
  ['without a sandbox', 'none'],
] as const)('exec.run whose time is over, %s', (_, setting) => {
  const start = (graceMs: number) =>
    open({ sandbox: once(() => findSandbox(setting)), limits: { ...defaultExecLimits, graceMs } });
  it.skipIf(setting === 'os' && install !== '')('asks it to end first', async () => {
    const script = 'trap "echo over > ended.txt; exit 0" TERM; while :; do sleep 0.05; done';
    const ended = start(20_000)('sh', ['-c', script], { timeoutMs: 500 });
    await expect(ended).rejects.toMatchObject({ tag: 'timeout' });
    expect(readFileSync(join(work, 'ended.txt'), 'utf8')).toBe('over\n');
  });

  it.skipIf(setting === 'os' && install !== '')(
    'kills the whole tree where it does not',
    async () => {
      const script =
        'trap "" TERM; (trap "" TERM; sleep 40.43) & sleep 40.43 & echo up > up.txt; wait; sleep 40.43';
      const ended = start(300)('sh', ['-c', script], { timeoutMs: 500 });
      await expect(ended).rejects.toMatchObject({ tag: 'timeout' });
      expect(existsSync(join(work, 'up.txt'))).toBe(true);
      expect(running('sleep 40.43')).toBe(false);
    },
  );
});

describe('defaultExecLimits', () => {
  it('gives a process a minute of the processor, and five seconds to end', () => {
    expect(defaultExecLimits).toMatchObject({ cpuSeconds: 60, graceMs: 5000 });
  });
});

describe('exec.run', () => {
  it('runs nothing without a sandbox, and says how to get one', async () => {
    const missing = {
      tier: 'missing',
      reason: 'bubblewrap is not installed',
      fix: 'get it',
    } as const;
    const run = open({ sandbox: async () => missing });
    await expect(run('touch', ['made.txt'])).rejects.toMatchObject({
      tag: 'denied',
      message: expect.stringMatching(/bubblewrap is not installed: get it/),
      hint: expect.stringMatching(/cuervo doctor\. Where that cannot be: sandbox = "none"/),
    });
    expect(existsSync(join(work, 'made.txt'))).toBe(false);
  });

  it('tells nobody who is denied whether there is such a program', async () => {
    const authorize = async () => {
      throw new ServiceError('denied', 'not granted', 'x', 'grant it');
    };
    for (const program of ['true', 'no-such-program']) {
      await expect(open({ authorize })(program)).rejects.toMatchObject({
        tag: 'denied',
        message: 'not granted',
        hint: 'grant it',
        target: program,
      });
    }
  });

  it.each([
    ['no command', { program: 5 }],
    ['a negative time', { timeoutMs: -1 }],
    ['too many arguments', { args: Array(5000).fill('a') }],
    ['half of a surrogate pair', { args: ['\ud800'] }],
    ['a stdin that is not text', { stdin: 5 }],
  ])('refuses %s before anybody is asked', async (_, rest) => {
    await expect(open()('true', [], rest)).rejects.toMatchObject({ tag: 'invalid' });
    expect(asked).toEqual([]);
  });
});

describe('exec.run where its owner wants no sandbox', () => {
  const none: Options = { sandbox: () => findSandbox('none') };

  it('keeps environment, home, working directory, input, output and planted names', async () => {
    mkdirSync(join(work, 'sub'));
    const run = open(none);
    const { value } = await run('sh', ['-c', 'env; pwd; ls -A ~; cat'], { cwd: 'work:sub' });
    expect(
      value.stdout
        .split('\n')
        .map((line) => line.replace(/=.*/, ''))
        .sort(),
    ).toEqual(
      [
        '',
        'HOME',
        'LANG',
        'NO_COLOR',
        'PAGER',
        'PATH',
        'PWD',
        'TERM',
        'TMPDIR',
        join(work, 'sub'),
      ].sort(),
    );
    const cut = await run('yes', [], { maxOutputBytes: 4 });
    expect(cut.value).toMatchObject({ stdout: 'y\ny\n', truncated: true });
    await expect(run('touch', ['.npmrc'])).rejects.toMatchObject({ tag: 'denied' });
    expect(existsSync(join(work, '.npmrc'))).toBe(false);
  });

  it('ends the group and its descendants at the deadline, and with the program', async () => {
    const run = open(none);
    const script = 'setsid sleep 40.41 & sleep 40.41';
    await expect(run('sh', ['-c', script], { timeoutMs: 300 })).rejects.toMatchObject({
      tag: 'timeout',
    });
    const left = await run('sh', ['-c', 'sleep 40.41 & echo started']);
    expect(left.value.stdout).toBe('started\n');
    const listed = await run('sh', [
      '-c',
      'ps ax -o args= 2>/dev/null | grep "^sleep 40.41" || true',
    ]);
    expect(listed.value.stdout).toBe('');
  });

  it('holds file size and memory of a process down', async () => {
    const limits = { ...defaultExecLimits, fileBytes: 1024 * 1024, memoryBytes: 100 * 1024 * 1024 };
    const run = open({ ...none, limits });
    const big = await run('dd', ['if=/dev/zero', 'of=big', 'bs=1M', 'count=2']);
    expect(big.value).toMatchObject({ signal: 'SIGXFSZ' });
    const wide = await run('dd', ['if=/dev/zero', 'of=/dev/null', 'bs=200M', 'count=1']);
    expect(wide.value.stderr).toContain('memory exhausted');
  });
});
