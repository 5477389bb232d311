import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { subcommandAt } from './command-line.ts';
import { quietSettings } from './git-settings.ts';
import { hardenGit } from './harden-git.ts';

let folder = '';
let evil = '';
/** This file lists what the repository started so far. */
let ran = '';

function git(args: readonly string[]) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('git', args, {
    cwd: join(folder, 'repo'),
    encoding: 'utf8',
    env,
    input: '',
    timeout: 20_000,
  });
}

const facts = () => ({
  subcommands: new Set(git(['--list-cmds=main']).stdout.split('\n')),
  overrides: quietSettings(git(['config', '--list', '--name-only', '-z']).stdout),
});

/** A repository that has its program started in each way that its configuration knows. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harden-git-'));
  evil = join(folder, 'evil.sh');
  ran = join(folder, 'ran');
  writeFileSync(evil, `#!/bin/sh\necho ran >> '${ran}'\ntimeout 1 cat\n`);
  chmodSync(evil, 0o755);
  spawnSync('git', ['init', '--quiet', join(folder, 'repo')]);
  const write = (name: string, text: string) => writeFileSync(join(folder, 'repo', name), text);
  write('a.txt', 'one\n');
  git(['config', 'user.name', 'n']);
  git(['config', 'user.email', 'n@example.org']);
  git(['add', '.']);
  git(['commit', '--quiet', '-m', 'one']);
  write('.gitattributes', '*.txt filter=evil diff=evil merge=evil\n');
  write('a.txt', 'one\ntwo\n');
  for (const key of [
    'filter.evil.clean',
    'diff.evil.textconv',
    'diff.evil.command',
    'diff.external',
    'core.fsmonitor',
    'core.pager',
    'gpg.program',
    'core.editor',
    'merge.evil.driver',
    'trailer.evil.command',
    'remote.here.uploadpack',
    'remote.here.receivepack',
    'difftool.evil.cmd',
  ]) {
    git(['config', key, evil]);
  }
  git(['config', 'trailer.evil.key', 'Evil']);
  git(['config', 'diff.tool', 'evil']);
  git(['config', 'remote.here.url', '.']);
  git(['config', 'log.showSignature', 'true']);
  git(['config', 'commit.gpgSign', 'true']);
  git(['config', 'alias.ours', `!${evil}`]);
  for (const hook of ['pre-commit', 'post-commit', 'post-checkout', 'post-index-change']) {
    writeFileSync(join(folder, 'repo/.git/hooks', hook), `#!/bin/sh\necho ran >> '${ran}'\n`);
    chmodSync(join(folder, 'repo/.git/hooks', hook), 0o755);
  }
  rmSync(ran, { force: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('hardenGit()', () => {
  const commands = [
    ['status', '--porcelain'],
    ['diff'],
    ['diff', '--cached'],
    ['log', '-p'],
    ['show'],
    ['blame', 'a.txt'],
    ['grep', 'one'],
    ['add', '--all'],
    ['commit', '--all', '-m', 'two'],
    ['stash'],
    ['restore', 'a.txt'],
    ['-C', '.', 'status'],
    ['reflog', '-p'],
    ['stash', 'list', '-p'],
  ];

  it.each(commands)('lets the repository start nothing: git %s %s', (...args) => {
    const done = git(hardenGit(args, facts()));
    expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: '' });
    expect(existsSync(ran)).toBe(false);
  });

  it.each([
    ['status'],
    ['diff'],
    ['log', '-p'],
    ['blame', 'a.txt'],
    ['ours'],
    ['restore', 'a.txt'],
    ['reflog', '-p'],
  ])('is needed: without it git %s starts something', (...args) => {
    git(args);
    expect(existsSync(ran)).toBe(true);
  });

  it('starts no program of a trailer', () => {
    const command = ['interpret-trailers', '--trailer', 'Evil=x'];
    expect(git(hardenGit(command, facts())).status).toBe(0);
    expect(existsSync(ran)).toBe(false);
    git(command);
    expect(existsSync(ran)).toBe(true);
  });

  it('starts no program of a remote: what would start it is forbidden', () => {
    const command = ['ls-remote', 'here'];
    expect(git(hardenGit(command, facts())).stderr).toMatch(/transport 'file' not allowed/);
    expect(existsSync(ran)).toBe(false);
    git(command);
    expect(existsSync(ran)).toBe(true);
  });

  it('refuses an alias, which may be a program', () => {
    expect(() => hardenGit(['ours'], facts())).toThrow(
      expect.objectContaining({ code: 'permission-denied' }),
    );
  });

  it('finds the subcommand behind the options of git itself', () => {
    expect(subcommandAt(['-C', 'status', '--git-dir=x', '-c', 'a=b', 'log'])).toBe(5);
    expect(subcommandAt(['--version'])).toBe(-1);
  });
});

describe('hardenGit(), in a folder that looks like a repository', () => {
  it('takes none but one that the command names', () => {
    renameSync(join(folder, 'repo/.git'), join(folder, 'repo/store'));
    const command = ['-C', 'store', 'log', '--oneline'];
    expect(git(hardenGit(command, facts())).stderr).toMatch(/bare repository/);
    expect(git(command).stdout).toMatch(/ one$/m);
    expect(existsSync(ran)).toBe(false);
    const named = ['--git-dir=store', 'log', '--oneline'];
    expect(git(hardenGit(named, facts())).stdout).toMatch(/ one$/m);
    expect(existsSync(ran)).toBe(false);
  });

  it('leaves a conflict where a driver of the repository would have merged', () => {
    const base = git(hardenGit(['stash'], facts()));
    expect(base.status).toBe(0);
    for (const [branch, text] of [
      ['side', 'side'],
      ['main2', 'main'],
    ] as const) {
      git(hardenGit(['checkout', '--quiet', '-b', branch, 'HEAD~0'], facts()));
      writeFileSync(join(folder, 'repo/a.txt'), `${text}\n`);
      git(hardenGit(['commit', '--all', '--quiet', '-m', text], facts()));
      if (branch === 'side') git(hardenGit(['checkout', '--quiet', '--detach', 'HEAD~1'], facts()));
    }
    rmSync(ran, { force: true });
    const merged = git(hardenGit(['merge', 'side'], facts()));
    expect(merged.stdout).toMatch(/CONFLICT/);
    expect(existsSync(ran)).toBe(false);
  });
});
