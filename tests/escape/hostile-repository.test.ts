import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

/** A repository is the guest here: its submodule, its configuration and its names of files. */
const oddNames = ['new\nline.txt', 'red\u001b[31m.txt', 'quote".txt', '--output=made.txt'];
const place = usePlace({
  fill: ({ work }) => {
    mkdirSync(join(work, 'lib'));
    gitIn(join(work, 'lib'), 'init', '--quiet');
    put(work, 'lib/a.txt', 'one\n');
    put(work, 'lib/.gitattributes', '*.txt filter=evil\n');
    commit(join(work, 'lib'));
    gitIn(work, 'init', '--quiet', '--initial-branch=main');
    // A repository within: git takes it for a submodule.
    commit(work);
    gitIn(work, 'tag', '-a', 'v1', '-m', 'v1');
    chmodSync(put(work, 'evil', `#!/bin/sh\ntouch '${work}/ran' /roots/work/ran\ncat\n`), 0o755);
    const program = `f() { '${work}/evil' || /roots/work/evil; }; f`;
    gitIn(join(work, 'lib'), 'config', 'filter.evil.clean', program);
    gitIn(join(work, 'lib'), 'config', 'core.fsmonitor', program);
    // As long as before: git has to look into the file.
    writeFileSync(join(work, 'lib/a.txt'), 'two\n');
  },
});
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const ran = (): boolean => existsSync(join(place.work, 'ran'));

function gitIn(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', folder, ...own, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

function commit(folder: string): void {
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '-m', 'First');
}

const lines = (commands: readonly string[], allow?: readonly string[]) =>
  runMany(
    place,
    'shell.run',
    commands.map((command) => ({ command })),
    allow,
  );

escapeCase('submodule configured to execute', {
  needs,
  denied: [
    [
      'what looks into a submodule is not a reader',
      async () => {
        const commands = [
          'git status --ignore-submodules=none',
          'git status --ignore-submodules=untracked',
          'git diff --ignore-submodules=none',
          'git describe --dirty',
          'git describe --broken',
        ];
        const ended = await lines(commands);
        expect(ended.map(({ exit }) => exit)).toEqual(commands.map(() => 3));
        expect(ran()).toBe(false);
      },
    ],
    [
      'readers and a granted git start nothing of it',
      async () => {
        const readers = ['git status', 'git diff', 'git describe', 'git ls-files -m'];
        const read = await lines(readers);
        expect(read.map(({ exit }) => exit)).toEqual(readers.map(() => 0));
        const commands = ['git describe --dirty', 'git add lib', 'git status'];
        const granted = await lines(commands, ['fs:work', 'exec:git']);
        expect(granted.map(({ exit }) => exit)).toEqual(commands.map(() => 0));
        expect(ran()).toBe(false);
      },
    ],
  ],
  control: [
    'git by itself starts it at once',
    () => {
      writeFileSync(join(place.work, 'lib/a.txt'), 'six\n');
      gitIn(place.work, 'describe', '--dirty');
      expect(ran()).toBe(true);
      rmSync(join(place.work, 'ran'));
    },
  ],
});

escapeCase('settings of a repository', {
  needs,
  denied: [
    'of its configuration git is told of files and branches alone',
    async () => {
      const config = (...args: string[]) => gitIn(place.work, 'config', ...args);
      config('core.fsmonitor', `touch '${place.work}/ran' /roots/work/ran;:`);
      config('core.worktree', '/');
      config('alias.st', '!touch ran');
      config('user.name', 'Mallory');
      config('remote.origin.url', 'https://ann:secret@example.org/a.git');
      const commands = ['git status', 'git remote -v', 'git config --get user.name', 'git st'];
      const ended = await lines(commands, ['fs:work', 'exec:git']);
      expect(JSON.stringify(ended)).not.toMatch(/secret|Mallory/);
      expect(ended.at(-1)).toMatchObject({ exit: 3 });
      expect(ran()).toBe(false);
      config('--unset', 'core.worktree');
      config('--unset', 'core.fsmonitor');
    },
  ],
  control: [
    'an address without a password, and line ends, are told',
    async () => {
      gitIn(place.work, 'config', 'remote.origin.url', 'https://example.org/a.git');
      const [remote] = await lines(['git remote -v']);
      expect(remote?.content).toMatchObject({
        stdout: expect.stringContaining('https://example.org/a.git (fetch)'),
      });
    },
  ],
});

/** `sub` is a work tree of `tree`, whose configuration lies in `shared`, which has no HEAD. */
function shareConfiguration(work: string): string {
  mkdirSync(join(work, 'sub'));
  gitIn(work, 'init', '--quiet', '--bare', 'shared');
  rmSync(join(work, 'shared/HEAD'));
  put(work, 'tree/HEAD', 'ref: refs/heads/main\n');
  put(work, 'tree/commondir', '../shared\n');
  put(work, 'sub/.git', 'gitdir: ../tree\n');
  return `[core]\n\tbare = false\n\tfsmonitor = "touch '${work}/obeyed';:"\n`;
}

escapeCase('repository whose common folder has no HEAD', {
  needs,
  denied: [
    'its configuration and hooks are written by no plugin and no program',
    async () => {
      const work = mkdtempSync(join(place.dir, 'shared-'));
      const evil = shareConfiguration(work);
      const before = readFileSync(join(work, 'shared/config'), 'utf8');
      const allow = ['fs:work', 'fs-write:work', 'exec:sh'];
      const write = (path: string) =>
        place.run('file.write', { path, text: evil }, { allow, workspace: work });
      for (const path of ['shared/config', 'shared/hooks/post-checkout'])
        expectFailure(place, await write(path), { code: 'permission-denied', exit: 3 });
      const script = `printf x > shared/config; printf x > shared/config.worktree`;
      await place.run('shell.run', { command: `sh -c '${script}'` }, { allow, workspace: work });
      expect(readFileSync(join(work, 'shared/config'), 'utf8')).toBe(before);
      expect(existsSync(join(work, 'shared/config.worktree'))).toBe(false);
    },
  ],
  control: [
    'git obeys it there, and a folder with objects alone is written',
    async () => {
      const work = mkdtempSync(join(place.dir, 'obeyed-'));
      put(work, 'shared/config', shareConfiguration(work));
      gitIn(join(work, 'sub'), 'status');
      expect(existsSync(join(work, 'obeyed'))).toBe(true);
      mkdirSync(join(work, 'game/objects'), { recursive: true });
      const input = { path: 'game/config', text: 'x\n' };
      const allow = ['fs:work', 'fs-write:work'];
      expectSuccess(await place.run('file.write', input, { allow, workspace: work }));
    },
  ],
});

escapeCase('names of files in a repository', {
  needs,
  denied: [
    'no terminal obeys them, and none is an option',
    async () => {
      for (const name of oddNames) put(place.work, name, 'x\n');
      const told = await place.cuervo(['run', 'git.status', '{}', '-w', place.work]);
      expect(told.exitCode).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      expect(told.stdout + told.stderr).not.toMatch(/\u001b/);
      const [staged] = await runMany(
        place,
        'git.stage',
        [{ paths: ['--output=made.txt'] }],
        ['fs:work', 'exec:git'],
      );
      expect(staged).toMatchObject({ exit: 0 });
      expect(existsSync(join(place.work, 'made.txt'))).toBe(false);
    },
  ],
  control: [
    'each is told as it is',
    async () => {
      const [status] = await runMany(place, 'git.status', [{}]);
      const told = status?.content as { entries: { path: string }[] } | undefined;
      const paths = told?.entries.map(({ path }) => path);
      expect(paths).toEqual(expect.arrayContaining(oddNames));
    },
  ],
});

/** Entries without number, and no end of a name in it; its sum is right. */
function endlessIndex(): Buffer {
  for (let salt = 1; ; salt += 1) {
    const head = Buffer.from([...Buffer.from('DIRC'), 0, 0, 0, 2, 255, 255, 255, 255]);
    const body = Buffer.concat([head, Buffer.alloc(4000, 1), Buffer.alloc(salt, 2)]);
    const sum = createHash('sha1').update(body).digest();
    if (!sum.includes(0)) return Buffer.concat([body, sum]);
  }
}

escapeCase('index of git that has no end', {
  needs,
  denied: [
    'the call ends all the same, with what git says of it',
    async () => {
      put(place.work, '.env', 'A=1\n');
      const index = join(place.work, '.git/index');
      const before = readFileSync(index);
      writeFileSync(index, endlessIndex());
      const status = await place.run('git.status', {}, { giveUpMs: 20_000 });
      writeFileSync(index, before);
      expectFailure(place, status, { code: 'tool-failed', exit: 1 });
    },
  ],
  control: [
    'an index that git wrote is read',
    async () => {
      expectSuccess(await place.run('git.status', {}));
    },
  ],
});

const touch = (workspace: string) =>
  place.run(
    'shell.run',
    { command: 'touch made.txt' },
    { allow: ['fs:work', 'fs-write:work', 'exec:touch'], workspace, giveUpMs: 20_000 },
  );

escapeCase('file in the place of .git that has no end', {
  needs,
  denied: [
    'a program runs all the same, and what it changed is known',
    async () => {
      const work = mkdtempSync(join(place.dir, 'pointer-'));
      truncateSync(put(work, '.git', 'gitdir: .\n'), 200 * 1024 ** 3);
      expectSuccess(await touch(work));
      expect(existsSync(join(work, 'made.txt'))).toBe(true);
    },
  ],
  control: [
    'one that leads to a repository is followed',
    async () => {
      const work = mkdtempSync(join(place.dir, 'followed-'));
      gitIn(work, 'init', '--quiet', '--separate-git-dir', join(work, 'own'));
      expectSuccess(await touch(work));
      expectSuccess(await place.run('git.status', {}, { workspace: work }));
    },
  ],
});

escapeCase('thing in the place of .git that is no repository', {
  needs,
  denied: [
    'a pipe, a device, links in a circle and to nothing are named, and nothing waits for them',
    async () => {
      for (const [at, make] of [
        (path: string) => execFileSync('mkfifo', [path]),
        (path: string) => symlinkSync('/dev/zero', path),
        (path: string) => symlinkSync('.git', path),
        (path: string) => symlinkSync('nowhere', path),
      ].entries()) {
        const work = mkdtempSync(join(place.dir, `thing-${at}-`));
        make(join(work, '.git'));
        const ran = await place.run('git.status', {}, { workspace: work, giveUpMs: 20_000 });
        expectFailure(place, ran, {
          code: 'invalid-argument',
          exit: 2,
          says: /work:\.git is neither a folder that can be entered nor a file that leads to one/,
        });
        expectSuccess(await touch(work));
      }
    },
  ],
  control: [
    'a repository, and a file that leads to one, are read',
    async () => {
      expectSuccess(await place.run('git.status', {}));
      const work = mkdtempSync(join(place.dir, 'beside-'));
      gitIn(work, 'init', '--quiet', '--separate-git-dir', join(work, 'own'));
      expectSuccess(await place.run('git.status', {}, { workspace: work }));
    },
  ],
});

const listsIn = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const packageWith = (levels: number): string =>
  `{"scripts":{"test":"vitest run"},"other":${listsIn(levels)}}`;
const notebookWith = (levels: number): string =>
  `{"cells":[],"metadata":${listsIn(levels)},"nbformat":4,"nbformat_minor":5}`;

escapeCase('files that are nested deep', {
  denied: [
    'they are refused as such: no plugin traps, which would have it paused',
    async () => {
      put(place.work, 'deep.ipynb', notebookWith(100_000));
      const cells = await place.run('file.cells', { path: 'deep.ipynb' });
      expectFailure(place, cells, { code: 'invalid-argument', exit: 2, says: /not a notebook/ });
      put(place.work, 'deep/package.json', packageWith(100_000));
      const tests = await place.run('shell.run-tests', { path: 'deep', dry: true });
      expectFailure(place, tests, { code: 'invalid-argument', exit: 2 });
    },
  ],
  control: [
    'those that are nested a little are read',
    async () => {
      put(place.work, 'flat.ipynb', notebookWith(100));
      expectSuccess(await place.run('file.cells', { path: 'flat.ipynb' }));
      put(place.work, 'flat/package.json', packageWith(100));
      const found = expectSuccess(await place.run('shell.run-tests', { path: 'flat', dry: true }));
      expect(found).toMatchObject({ runner: 'npm' });
    },
  ],
});

const find = ['file.find', { pattern: '*.ts' }] as const;

function repositoryWith(rules: string): string {
  const work = mkdtempSync(join(place.dir, 'ignored-'));
  gitIn(work, 'init', '--quiet');
  mkdirSync(join(work, 'a/'.repeat(60)), { recursive: true });
  put(work, 'kept.ts');
  put(work, '.gitignore', rules);
  return work;
}

escapeCase('ignore file that is matched without an end', {
  denied: [
    [
      'rules with many `**` over a deep folder take neither the time of a call nor that of cuervo',
      async () => {
        const work = repositoryWith(`${'**/a/'.repeat(12)}b\n`);
        const found = await place.run(...find, { workspace: work, args: ['--timeout', '5'] });
        expect(expectSuccess(found)).toMatchObject({ paths: ['kept.ts'] });
        // A dry run looks at the same rules, in the process of cuervo itself.
        const write = { path: 'made.txt', text: 'x' };
        const allow = ['fs:work', 'fs-write:work'];
        const flags = { workspace: work, allow, args: ['--dry-run'], giveUpMs: 20_000 };
        expect((await place.run('file.write', write, flags)).exitCode).toBe(0);
      },
    ],
    [
      'a rule that is longer than any path is not a rule',
      async () => {
        const found = await place.run(...find, { workspace: repositoryWith('?'.repeat(500_000)) });
        expect(expectSuccess(found)).toMatchObject({ paths: ['kept.ts'] });
      },
    ],
  ],
  control: [
    'rules of the same forms ignore what they name',
    async () => {
      const work = repositoryWith(`a/**/a/**/*.ts\n${'?'.repeat(100)}\n/k*.ts\n`);
      put(work, `${'a/'.repeat(60)}deep.ts`);
      put(work, 'b.ts');
      const found = await place.run(...find, { workspace: work });
      expect(expectSuccess(found)).toMatchObject({ paths: ['b.ts'] });
    },
  ],
});

/** Long names in a deep folder, which patterns of many `a` nearly fit. */
function longNamesIn(work: string): void {
  const deep = Array(6).fill('a'.repeat(250)).join('/');
  for (let at = 0; at < 20; at += 1) put(work, `${deep}/${'a'.repeat(240)}${at}`, 'x');
}

function projectWith(patterns: readonly string[]): string {
  const work = mkdtempSync(join(place.dir, 'project-'));
  put(work, 'cuervo.toml', `protected = ${JSON.stringify(patterns)}\n`);
  put(work, 'kept.ts', 'kept');
  return work;
}

const nearlyEndless = ['*a*a*ab', '*a?a*ac', '*aa*aa*aad', '**/*a*ae'];

escapeCase('patterns of a project that are matched without an end', {
  denied: [
    'many patterns of many `*` over long names take neither the time of a call nor that of cuervo',
    async () => {
      const work = projectWith(
        Array.from({ length: 64 }, (_, at) => `${nearlyEndless[at % nearlyEndless.length]}${at}`),
      );
      longNamesIn(work);
      const flags = { workspace: work, giveUpMs: 20_000 };
      expect(expectSuccess(await place.run(...find, flags))).toMatchObject({ paths: ['kept.ts'] });
      const index = ['index', '--workspace', work];
      expect((await place.cuervo(index, { giveUpMs: 20_000 })).exitCode).toBe(0);
    },
  ],
  control: [
    'patterns of the same forms withhold what they name',
    async () => {
      const work = projectWith(nearlyEndless);
      for (const name of ['xaxaxab', 'xaxaxac', 'aaxaaxaad', 'd/xaxae']) {
        put(work, name, 'withheld');
        const read = await place.run('file.read', { path: name }, { workspace: work });
        expect(read.error, name).toMatchObject({ code: 'permission-denied' });
      }
      expectSuccess(await place.run('file.read', { path: 'kept.ts' }, { workspace: work }));
    },
  ],
});

/** So many rules that a walk over so many files takes longer than anybody waits. */
function slowRepository(files: number): string {
  const work = mkdtempSync(join(place.dir, 'rules-'));
  for (let at = 0; at < files; at += 1) put(work, `f${at}.ts`, 'x');
  const rules = Array.from({ length: 40_000 }, (_, at) => `a*b${at}?`);
  put(work, '.gitignore', `!x\n${rules.join('\n')}\n`);
  return work;
}

escapeCase('walk that is interrupted', {
  denied: [
    'Ctrl+C ends a look at files that tens of thousands of rules make slow',
    async () => {
      let isSent = false;
      const ran = await place.cuervo(['index', '--workspace', slowRepository(10_000)], {
        giveUpMs: 40_000,
        onStderr: (text, pid) => {
          if (isSent || !text.includes('checking the files')) return;
          isSent = true;
          process.kill(pid, 'SIGINT');
        },
      });
      expect(ran.exitCode, ran.stderr).toBe(130);
    },
  ],
  control: [
    'a walk over few files comes to its end with the same rules',
    async () => {
      const ran = await place.cuervo(['index', '--workspace', slowRepository(3)]);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout).toMatch(/read 4 files/);
    },
  ],
});
