import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

let place: Place;
const env = () => ({ HOME: place.dir, GIT_CONFIG_NOSYSTEM: '1' });

function git(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  const done = spawnSync(
    'git',
    ['-C', folder, ...own, '-c', 'protocol.file.allow=always', ...args],
    {
      encoding: 'utf8',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env() },
    },
  );
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

async function run(folder: string, tool: string, input: JsonObject, ...flags: string[]) {
  const args = ['run', tool, JSON.stringify(input), '--json', ...flags];
  const done = await place.cuervo(args, { cwd: folder, env: env() });
  const result = done.lines.find(({ type }) => type === 'result') as { content: string };
  const error = done.lines.find(({ type }) => type === 'error') as {
    message: string;
    hint?: string;
  };
  const content = result === undefined ? undefined : JSON.parse(result.content);
  return { code: done.code, content, message: error?.message ?? '', hint: error?.hint ?? '' };
}

/** Says yes in the folder as the refusal says. */
async function allow(folder: string): Promise<void> {
  const { code, hint } = await run(folder, 'git.status', {});
  expect(code).toBe(3);
  const command = /cuervo (plugin grant git repository:\S+ --project)/.exec(hint)?.[1] ?? '';
  const said = await place.cuervo(command.split(' '), { cwd: folder, env: env() });
  expect(said.code).toBe(0);
}

let tree = '';
let module = '';

/** Beside the workspace: a work tree of `main` on a branch `side`, and a submodule of `super`. */
beforeEach(() => {
  place = openPlace();
  const [main, lib, outer] = ['main', 'lib', 'super'].map((name) => join(place.dir, name)) as [
    string,
    string,
    string,
  ];
  [tree, module] = [join(place.dir, 'tree'), join(outer, 'vendor/lib')];
  git(place.dir, 'config', '--global', 'user.name', 'Ann');
  git(place.dir, 'config', '--global', 'user.email', 'ann@example.org');
  for (const folder of [main, lib, outer]) {
    mkdirSync(folder);
    git(folder, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '-m', 'First');
  }
  git(main, 'branch', '--quiet', 'side');
  git(main, 'worktree', 'add', '--quiet', tree, 'side');
  git(outer, 'submodule', '--quiet', 'add', lib, 'vendor/lib');
});
afterEach(() => place[Symbol.dispose]());

const places: [string, () => string, () => string][] = [
  ['a linked work tree', () => tree, () => join(place.dir, 'main/.git')],
  ['a submodule', () => module, () => join(place.dir, 'super/.git/modules/vendor/lib')],
];

describe.runIf(hasSandbox).each(places)('%s as the workspace', (_, folderOf, commonOf) => {
  it('needs one yes, which the refusal names and the folder keeps', async () => {
    const [folder, common] = [folderOf(), commonOf()];
    const refused = await run(folder, 'git.log', {});
    expect(refused).toMatchObject({
      code: 3,
      message: expect.stringContaining(
        'lies outside of the workspace, and git needs a yes to use it',
      ),
    });
    expect(refused.hint).toContain(`cuervo plugin grant git repository:${common} --project`);
    const once = await run(folder, 'git.log', {}, '--allow', `repository:${common}`);
    expect(once.content).toMatchObject({ commits: [{ subject: 'First' }] });
    expect((await run(folder, 'git.log', {})).code).toBe(3);
    await allow(folder);
    expect((await run(folder, 'git.log', {})).code).toBe(0);
    expect((await run(folder, 'shell.run', { command: 'git log' })).code).toBe(0);
  });

  it('is looked at, added to and committed like any other', async () => {
    const folder = folderOf();
    await allow(folder);
    appendFileSync(join(folder, 'a.txt'), 'two\n');
    expect((await run(folder, 'git.status', {})).content.entries).toEqual([
      { path: 'a.txt', unstaged: 'modified' },
    ]);
    expect((await run(folder, 'git.diff', {})).content.patch).toContain('+two');
    const granted = ['--allow', 'exec:git'];
    expect((await run(folder, 'git.stage', { paths: ['a.txt'] }, ...granted)).code).toBe(0);
    expect((await run(folder, 'git.commit', { message: 'Second' }, ...granted)).code).toBe(0);
    expect(git(folder, 'log', '--format=%s')).toBe('Second\nFirst');
    expect(git(folder, 'status', '--porcelain')).toBe('');
    const blamed = await run(folder, 'git.blame', { path: 'a.txt' });
    expect(blamed.content.lines).toHaveLength(2);
    const { stdout } = await place.cuervo(['ask', 'what changed recently?'], {
      cwd: folder,
      env: env(),
    });
    expect(stdout).toMatch(/\n2 commits:\n.*Second\n/);
    const stash = 'git stash list';
    expect((await run(folder, 'shell.run', { command: stash })).content).toMatchObject({
      exitCode: 0,
    });
  });

  it('is found from a folder in it', async () => {
    const folder = join(folderOf(), 'deep/er');
    mkdirSync(folder, { recursive: true });
    await allow(folder);
    expect((await run(folder, 'git.status', {})).code).toBe(0);
  });
});

describe.runIf(hasSandbox)('a linked work tree as the workspace', () => {
  it('leaves the main work tree and its own record as they are', async () => {
    await allow(tree);
    const main = join(place.dir, 'main');
    const index = readFileSync(join(main, '.git/index'));
    const granted = ['--allow', 'exec:git'];
    await run(tree, 'shell.run', { command: 'git commit --allow-empty -m x' }, ...granted);
    await run(tree, 'shell.run', { command: 'git worktree prune' }, ...granted);
    expect(git(main, 'worktree', 'list')).toContain(`${tree} `);
    expect(readFileSync(join(main, '.git/index'))).toEqual(index);
    expect(git(main, 'log', '--format=%s')).toBe('First');
  });
});
