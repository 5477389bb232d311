import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const place = usePlace({
  fill: ({ outside, secret }) => {
    git(outside, 'init', '--quiet', '--initial-branch=main');
    git(outside, 'config', 'own.token', secret);
    git(outside, 'config', 'user.name', 'Ann');
    git(outside, 'config', 'user.email', 'ann@example.org');
    git(outside, 'add', '--all');
    git(outside, 'commit', '--quiet', '-m', secret);
    for (const name of ['tree', 'beside'])
      git(outside, 'worktree', 'add', '--quiet', '-b', name, join(outside, `../${name}`));
    put(outside, '.git/worktrees/beside/COMMIT_EDITMSG', secret);
    // A module that names another folder as its own.
    execFileSync('git', ['clone', '--quiet', '--bare', outside, join(outside, '.git/modules/lib')]);
    git(join(outside, '.git/modules/lib'), 'config', 'core.worktree', '../../..');
  },
});

function git(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', folder, ...own, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

const common = (): string => join(place.outside, '.git');
const lines = (work: string, commands: readonly string[], ...more: string[]) =>
  runMany(
    { home: place.home, work },
    'shell.run',
    commands.map((command) => ({ command })),
    ['fs:work', 'fs-write:work', 'exec:git', ...more],
  );

escapeCase('work tree whose repository lies outside', {
  needs,
  denied: [
    [
      'a file that leads to a repository which does not know it opens nothing, whatever is allowed',
      async () => {
        const module = join(common(), 'modules/lib');
        const pointers = [common(), join(common(), 'worktrees/tree'), module];
        for (const pointer of pointers) {
          const work = mkdtempSync(join(place.dir, 'planted-'));
          put(work, '.git', `gitdir: ${pointer}\n`);
          const allow = [common(), module].map((each) => `repository:${each}`);
          const commands = ['git log', 'git status', 'git commit --allow-empty -m x'];
          const ended = await lines(work, commands, ...allow);
          expect(JSON.stringify(ended)).not.toContain(place.secret);
          expect(ended.map(({ content }) => (content as { exitCode: number }).exitCode)).toEqual([
            128, 128, 128,
          ]);
        }
        expect(git(place.outside, 'log', '--all', '--format=%s').trim()).toBe(place.secret);
      },
    ],
    [
      'one that knows it needs a yes',
      async () => {
        const ended = await lines(join(place.dir, 'tree'), ['git log', 'git status']);
        expect(ended.map(({ exit }) => exit)).toEqual([3, 3]);
        expect(JSON.stringify(ended)).not.toContain(place.secret);
      },
    ],
    [
      'with a yes git sees nothing of its configuration, its hooks and other work trees',
      async () => {
        const before = readFileSync(join(common(), 'config'), 'utf8');
        const hook = join(common(), 'hooks/pre-commit');
        writeFileSync(hook, `#!/bin/sh\ntouch '${place.outside}/ran' /roots/work/ran\n`, {
          mode: 0o755,
        });
        const tree = join(place.dir, 'tree');
        const commands = [
          ...[
            'git config --get own.token',
            'git config own.token x',
            'git commit --allow-empty -m x',
          ],
          ...['git rev-parse --git-common-dir', 'git worktree remove --force beside'],
        ];
        const ended = await lines(tree, commands, `repository:${common()}`);
        expect(JSON.stringify(ended)).not.toContain(place.secret);
        expect(readFileSync(join(common(), 'config'), 'utf8')).toBe(before);
        expect([join(tree, 'ran'), join(place.outside, 'ran')].filter(existsSync)).toEqual([]);
        expect(git(place.outside, 'worktree', 'list')).toContain('/beside ');
      },
    ],
  ],
  control: [
    'git shows and commits there with a yes, and by itself follows whatever a file names',
    async () => {
      const tree = join(place.dir, 'tree');
      const commands = ['git log -1 --format=%s main', 'git commit --allow-empty -m Second'];
      const ended = await lines(tree, commands, `repository:${common()}`);
      expect(ended.map(({ exit }) => exit)).toEqual([0, 0]);
      expect(ended[0]?.content).toMatchObject({ stdout: `${place.secret}\n` });
      expect(git(tree, 'log', '-1', '--format=%s').trim()).toBe('Second');
      const work = mkdtempSync(join(place.dir, 'led-'));
      put(work, '.git', `gitdir: ${common()}\n`);
      expect(git(work, 'log', '--format=%s')).toContain(place.secret);
    },
  ],
});
