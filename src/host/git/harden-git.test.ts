import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filtersOf, hardenGit, subcommandAt } from './harden-git.ts';

let folder = '';
let evil = '';
/** What the repository had started so far is told by this file. */
let ran = '';

function git(args: readonly string[]) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('git', args, { cwd: join(folder, 'repo'), encoding: 'utf8', env });
}

const facts = () => ({
  subcommands: new Set(git(['--list-cmds=main']).stdout.split('\n')),
  filters: filtersOf(git(['config', '--list', '--name-only', '-z']).stdout),
  identity: ['user.name=somebody else'],
});

/** A repository that has its program started in each way that its configuration knows. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harden-git-'));
  evil = join(folder, 'evil.sh');
  ran = join(folder, 'ran');
  writeFileSync(evil, `#!/bin/sh\necho ran >> '${ran}'\ncat\n`);
  chmodSync(evil, 0o755);
  spawnSync('git', ['init', '--quiet', join(folder, 'repo')]);
  const write = (name: string, text: string) => writeFileSync(join(folder, 'repo', name), text);
  write('a.txt', 'one\n');
  git(['config', 'user.name', 'n']);
  git(['config', 'user.email', 'n@example.org']);
  git(['add', '.']);
  git(['commit', '--quiet', '-m', 'one']);
  write('.gitattributes', '*.txt filter=evil diff=evil\n');
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
  ]) {
    git(['config', key, evil]);
  }
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
  ])('is needed: without it git %s starts something', (...args) => {
    git(args);
    expect(existsSync(ran)).toBe(true);
  });

  it("commits in the name of the user, not the repository's", () => {
    git(hardenGit(['commit', '--all', '-m', 'two'], facts()));
    expect(git(['log', '-1', '--format=%an']).stdout).toBe('somebody else\n');
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

describe('filtersOf()', () => {
  it('finds each driver once, with dots in its name', () => {
    expect(
      filtersOf('core.bare\0filter.lfs.clean\0filter.lfs.smudge\0filter.a.b.process\0filter.x\0'),
    ).toEqual(['lfs', 'a.b']);
  });

  it('refuses a name that no command line can override', () => {
    expect(() => filtersOf('filter.a=b.clean\0')).toThrow(
      expect.objectContaining({ code: 'permission-denied' }),
    );
  });
});
