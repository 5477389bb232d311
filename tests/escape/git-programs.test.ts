import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { type Ended, runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const place = usePlace({
  fill: ({ dir, work, secret }) => {
    git(work, 'init', '--quiet', '--initial-branch=main');
    put(work, 'plain.txt', 'one\n');
    for (const path of ['.env', '.aws/credentials', 'keys/id_rsa'])
      put(work, path, `TOKEN=${secret}\n`);
    commit(work, 'First');
    git(work, 'tag', 'v1');
    // The tree itself holds none of them, so that git is free to move in it.
    git(work, 'rm', '--quiet', '-r', '.env', '.aws', 'keys');
    commit(work, 'Second');
    put(work, 'plain.txt', 'three\n');
    commit(work, 'Third');
    put(work, '.env', `TOKEN=${secret}\n`);
    git(work, 'stash', 'push', '--quiet', '--include-untracked');
    git(work, 'stash', 'apply', '--quiet', '--index');
    git(work, 'add', '.env');
    git(work, 'stash', 'push', '--quiet');
    cpSync(work, join(dir, 'whole'), { recursive: true });
  },
});

// What one of them changes is not there for the next.
beforeEach(() => {
  rmSync(place.work, { recursive: true, force: true });
  cpSync(join(place.dir, 'whole'), place.work, { recursive: true });
});

function git(work: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', work, ...own, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

function commit(work: string, message: string): void {
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '-m', message);
}

const lines = (commands: readonly string[]) =>
  runMany(
    place,
    'shell.run',
    commands.map((command) => ({ command })),
    ['fs:work', 'fs-write:work', 'exec:git'],
  );
const exits = (ended: readonly Ended[]) => ended.map(({ exit }) => exit);
const codes = (ended: readonly Ended[]) =>
  ended.map(({ content }) => (content as { exitCode: number }).exitCode);
const showing = (ended: readonly Ended[]) =>
  ended.filter((each) => JSON.stringify(each).includes(place.secret)).map(({ input }) => input);

const evil = "'touch started; git cat-file -p v1:.env >&2; git-upload-pack'";

escapeCase('program that git would start', {
  needs,
  denied: [
    [
      'an option or a setting names it, even under a grant',
      async () => {
        const commands = [
          ...[`git rebase --exec ${evil} HEAD~1`, `git rebase -fx ${evil} HEAD~1`],
          ...[`git fetch --upload-pack=${evil} .`, `git fetch --uplo ${evil} .`],
          ...[`git push --receive-pack=${evil} . HEAD:x`, `git push --exec=${evil} . HEAD:x`],
          ...[`git ls-remote --upl=${evil} .`, `git clone -qu ${evil} . copy`],
          ...[`git archive --remote=. --exec=${evil} HEAD`, `git grep -nO${evil} one v1`],
          ...[`git -c tar.x.command=${evil} archive --format=x v1`, `git bisect run ${evil}`],
          ...[`git -c Core.AttributesFile=/dev/null show v1`, 'git -c include.path=x status'],
          ...['git --exec-path=. status', 'git --git-dir=.git show', 'git --work-tree=/tmp show'],
          ...[`git submodule foreach ${evil}`],
        ];
        const ended = await lines(commands);
        expect(showing(ended)).toEqual([]);
        expect(exits(ended)).toEqual(commands.map(() => 3));
        expect(existsSync(join(place.work, 'started'))).toBe(false);
      },
    ],
    [
      'a subcommand runs what it is told, or shows what nobody knows',
      async () => {
        const commands = [
          ...[`git filter-branch -f --index-filter ${evil} HEAD`, `git difftool -yx cat v1 HEAD`],
          ...['git mergetool', 'git instaweb', 'git web--browse x', 'git help -w log'],
          ...['git -c color.x=. for-each-repo --config=color.x show --text v1'],
          ...['git filter-branch -f --subdirectory-filter .aws v1', 'git merge-index cat -a'],
          ...['git read-tree --prefix=x/ v1', 'git diagnose', 'git remote-ext a b'],
        ];
        const ended = await lines(commands);
        expect(showing(ended)).toEqual([]);
        expect(exits(ended)).toEqual(commands.map(() => 3));
      },
    ],
    [
      'a stash is shown as text, and a file is given another path',
      async () => {
        const hash = git(place.work, 'rev-parse', 'v1:.env').trim();
        const commands = [
          ...['git stash show -p --text', 'git stash show -pa', 'git stash show --binary'],
          ...['git stash list -p --tex', 'git stash show -p --include-untracked -a stash@{1}'],
          ...[`git update-index --add --cacheinfo 100644,${hash},x.txt`],
          ...['git merge -s subtree v1', 'git cherry-pick -Xsubtree=.aws v1'],
        ];
        const ended = await lines(commands);
        expect(showing(ended)).toEqual([]);
        expect(exits(ended)).toEqual(commands.map(() => 3));
      },
    ],
  ],
  control: [
    'the same subcommands do what they are for',
    async () => {
      const commands = [
        ...['git -c user.name=Bob -c diff.algorithm=patience log -1', 'git stash list -p'],
        ...['git stash show -p stash@{0}', 'git grep -n three HEAD', 'git ls-remote .'],
        ...['git fetch -q .', 'git archive HEAD', 'git update-index --refresh'],
        ...['git rebase -q HEAD~1', 'git bisect log', 'git submodule status'],
      ];
      const ended = await lines(commands);
      expect(exits(ended)).toEqual(commands.map((one) => (one.includes('bisect') ? 1 : 0)));
      expect(showing(ended)).toEqual([]);
      expect(codes(ended).slice(0, 9)).toEqual(ended.slice(0, 9).map(() => 0));
      // Git by itself shows and starts all of it.
      expect(git(place.work, 'stash', 'show', '-p', '--text')).toContain(place.secret);
      git(place.work, 'rebase', '--quiet', '--exec', 'touch started', 'HEAD~1');
      expect(existsSync(join(place.work, 'started'))).toBe(true);
    },
  ],
});
