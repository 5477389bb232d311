import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const place = usePlace({});
const ran = (): string => join(place.outside, 'ran');

function git(...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', place.work, ...own, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** It tells outside that it ran, and stores letters in code. */
const clean = () => `f() { touch '${ran()}'; tr a-y b-z; }; f`;
const grantOf = (command: string): string => {
  const digest = createHash('sha256').update(JSON.stringify([command, 'tr b-z a-y', '']));
  return `filter:evil@${digest.digest('hex')}`;
};
const lines = (commands: readonly string[], ...more: string[]) =>
  runMany(
    place,
    'shell.run',
    commands.map((command) => ({ command })),
    ['fs:work', 'fs-write:work', 'exec:git', ...more],
  );

beforeEach(() => {
  rmSync(place.work, { recursive: true, force: true });
  rmSync(ran(), { force: true });
  mkdirSync(place.work);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'filter.evil.clean', clean());
  git('config', 'filter.evil.smudge', 'tr b-z a-y');
  put(place.work, '.gitattributes', '*.txt filter=evil\n');
  put(place.work, 'a.txt', 'first\n');
  put(place.work, 'plain.md', 'first\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  for (const name of ['.gitattributes', 'a.txt', 'plain.md'])
    utimesSync(join(place.work, name), 1, 1);
  git('status');
  put(place.work, 'a.txt', 'a changed one\n');
  rmSync(ran(), { force: true });
});

const file = (): string => readFileSync(join(place.work, 'a.txt'), 'utf8');
const staged = (): string => git('diff', '--cached', '--name-only');

escapeCase('filter that a repository configures', {
  needs,
  denied: [
    [
      'what nobody allowed neither runs nor is left out where a file is stored',
      async () => {
        const commands = ['git add -A', 'git commit -am x', 'git stash', 'git add a.txt'];
        const ended = await lines(commands);
        expect(ended.map(({ exit }) => exit)).toEqual(commands.map(() => 3));
        expect([staged(), git('stash', 'list')]).toEqual(['', '']);
        expect(existsSync(ran())).toBe(false);
      },
    ],
    [
      'a file that it would write stays there',
      async () => {
        const commands = ['git restore a.txt', 'git checkout -f', 'git reset --hard'];
        const ended = await lines(commands);
        expect(ended.map(({ exit }) => exit)).toEqual(commands.map(() => 3));
        expect(file()).toBe('a changed one\n');
      },
    ],
    [
      'a yes to one command is none to another that takes its place',
      async () => {
        const allowed = grantOf(clean());
        git('config', 'filter.evil.clean', `touch ran; ${clean()}`);
        const [added] = await lines(['git add a.txt'], allowed);
        expect(added).toMatchObject({ exit: 3 });
        expect([staged(), existsSync(join(place.work, 'ran'))]).toEqual(['', false]);
      },
    ],
    [
      'a setting does not hide which files it is for',
      async () => {
        put(place.work, 'elsewhere/.gitattributes', '*.txt -filter\n');
        git('config', 'core.worktree', join(place.work, 'elsewhere'));
        const ended = await lines(['git restore a.txt', 'git add a.txt']);
        git('config', '--unset', 'core.worktree');
        expect(ended.map(({ exit }) => exit)).toEqual([3, 3]);
        expect([file(), staged()]).toEqual(['a changed one\n', '']);
      },
    ],
    [
      'one that was allowed reaches nothing outside of the sandbox',
      async () => {
        const [added] = await lines(['git add a.txt'], grantOf(clean()));
        expect(added).toMatchObject({ exit: 0 });
        expect(existsSync(ran())).toBe(false);
      },
    ],
  ],
  control: [
    'git by itself runs it, an allowed one stores what git does, and other files are free',
    async () => {
      await lines(['git add a.txt'], grantOf(clean()));
      const blob = git('rev-parse', ':a.txt');
      expect(git('cat-file', 'blob', blob.trim())).toBe('b dibohfe pof\n');
      git('reset', '--quiet');
      git('add', 'a.txt');
      expect([git('rev-parse', ':a.txt'), existsSync(ran())]).toEqual([blob, true]);
      git('reset', '--quiet');
      put(place.work, 'plain.md', 'second\n');
      const ended = await lines(['git add plain.md', 'git restore --staged --worktree plain.md']);
      expect(ended.map(({ exit }) => exit)).toEqual([0, 0]);
    },
  ],
});
