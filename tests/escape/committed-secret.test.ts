import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';
import { runMany } from './support/run-many.ts';

/** A repository whose history holds what the file system withholds. */
const withheld = ['.env', 'config/.ENV.local', 'keys/server.pem', 'own/secret.txt', '.npmrc'];
const place = usePlace({
  config: 'protected = ["own/secret.txt"]\nunprotected = [".env.example"]\n',
  fill: ({ work, secret, inside }) => {
    gitIn(work, 'init', '--quiet', '--initial-branch=main');
    for (const path of withheld) put(work, path, `TOKEN=${secret}\n`);
    for (const path of ['plain.txt', '.env.example']) put(work, path, `TOKEN=${inside}\n`);
    commit(work, 'First');
    for (const path of withheld) put(work, path, `TOKEN=${secret} again\n`);
    gitIn(work, 'stash', '--quiet');
    for (const path of withheld) put(work, path, 'gone\n');
    commit(work, 'Second');
  },
});
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

function gitIn(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', folder, ...own, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

function commit(folder: string, message: string): void {
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '-m', message);
}

const lines = (commands: readonly string[]) =>
  runMany(
    place,
    'shell.run',
    commands.map((command) => ({ command })),
  );
const exits = (ended: readonly { exit: number | null }[]) => ended.map(({ exit }) => exit);

escapeCase('withheld file in a history', {
  needs,
  denied: [
    [
      'no patch, search or stash shows what it held',
      async () => {
        const commands = [
          ...[
            'git show',
            'git show HEAD~1',
            'git log -p',
            'git log -p --cc --all',
            'git diff HEAD~1',
          ],
          ...['git diff HEAD~1 --word-diff', 'git stash show -p', 'git grep TOKEN HEAD~1'],
          ...['git log -G TOKEN -p', 'git log --patch-with-stat', 'git diff HEAD~1 -- config'],
        ];
        const ended = await lines(commands);
        expect(exits(ended)).toEqual(commands.map(() => 0));
        expect(JSON.stringify(ended)).not.toContain(place.secret);
        for (const [tool, input] of [
          ['git.show', { commit: 'HEAD~1' }],
          ['git.diff', { from: 'HEAD~1' }],
          ['git.stash', { action: 'show' }],
        ] as const) {
          const ran = await place.run(tool, input);
          expect(ran.stdout + ran.stderr).not.toContain(place.secret);
        }
      },
    ],
    [
      'what would show it as text is no reader',
      async () => {
        const commands = [
          ...['git log -p --text', 'git diff -a HEAD~1', 'git show --binary HEAD~1'],
          ...['git grep -a TOKEN HEAD~1', 'git grep --text TOKEN HEAD~1', 'git show HEAD~1:.env'],
          ...['git show :0:.env', 'git cat-file -p HEAD~1:.env', 'git log -L1,1:.env'],
        ];
        const ended = await lines(commands);
        expect(exits(ended)).toEqual(commands.map(() => 3));
        expect(JSON.stringify(ended)).not.toContain(place.secret);
      },
    ],
    [
      'its content is not had by its hash',
      async () => {
        const hash = gitIn(place.work, 'rev-parse', 'HEAD~1:.env').trim();
        const other = gitIn(place.work, 'rev-parse', 'HEAD~1:plain.txt').trim();
        const commands = [
          ...[`git show ${hash}`, `git show ${hash.slice(0, 10)}`, `git cat-file -p ${hash}`],
          ...[`git cat-file blob ${hash}`, `git grep TOKEN ${hash}`, `git diff ${hash} ${other}`],
          ...[`git diff ${other}..${hash}`, `git show ${hash}^{blob}`, `git -C keys show ${hash}`],
        ];
        const ended = await lines(commands);
        expect(exits(ended)).toEqual(commands.map(() => 3));
        expect(JSON.stringify(ended)).not.toContain(place.secret);
      },
    ],
  ],
  control: [
    'what is not withheld, or was lifted, is shown by the same commands',
    async () => {
      const head = gitIn(place.work, 'rev-parse', 'HEAD~1').trim();
      const ended = await lines([
        ...[`git show ${head}`, `git show ${head.slice(0, 10)}`, 'git grep TOKEN HEAD~1'],
        ...['git show HEAD~1:plain.txt', 'git log -p -- plain.txt', `git cat-file -p ${head}`],
      ]);
      expect(exits(ended)).toEqual(ended.map(() => 0));
      // Of inside.txt, plain.txt and the lifted name; the first holds no TOKEN.
      const times = ended.map((each) => JSON.stringify(each).split(place.inside).length - 1);
      expect(times).toEqual([3, 3, 2, 1, 1, 0]);
      // And git by itself shows the rest.
      expect(gitIn(place.work, 'show', 'HEAD~1')).toContain(place.secret);
      writeFileSync(join(place.work, 'plain.txt'), 'changed\n');
      expect(JSON.stringify(await lines(['git diff']))).toContain('changed');
    },
  ],
});
