import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

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

const lines = (commands: readonly string[], allow: readonly string[] = ['fs:work']) =>
  runMany(
    place,
    'shell.run',
    commands.map((command) => ({ command })),
    allow,
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
      'what would show it as text is not a reader',
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

const openers = '* diff\n**/* diff\n.env diff\n*.pem diff\n[attr]binary diff\n';
const showing = ['git show HEAD~1', 'git log -p --all', 'git diff HEAD~1', 'git grep TOKEN HEAD~1'];

escapeCase('attributes that would open a history', {
  needs,
  denied: [
    [
      'a .gitattributes of the work tree counts less than ours, in any folder',
      async () => {
        for (const folder of ['', 'config/', 'keys/', 'own/'])
          put(place.work, `${folder}.gitattributes`, openers);
        const ended = await lines(showing);
        expect(exits(ended)).toEqual(showing.map(() => 0));
        expect(JSON.stringify(ended)).not.toContain(place.secret);
      },
    ],
    [
      'also where git is granted whole, and in a repository that -C leads to',
      async () => {
        for (const folder of ['', 'config/', 'keys/', 'own/'])
          put(place.work, `${folder}.gitattributes`, openers);
        const copy = join(place.work, '..', 'copy');
        gitIn(place.work, 'clone', '--quiet', '.', copy);
        renameSync(copy, join(place.work, 'copy'));
        put(place.work, 'copy/.gitattributes', openers);
        const commands = [
          ...showing,
          ...['git -c color.ui=never show HEAD~1', 'git archive HEAD~1'],
          // Of the configuration, own/secret.txt is no name in there.
          ...showing
            .slice(0, 3)
            .map((one) => `${one.replace('git', 'git -C copy')} -- config keys`),
        ];
        const granted = ['fs:work', 'fs-write:work', 'exec:git'];
        const ended = await lines(commands, granted);
        const readers = await lines(commands.slice(-3));
        rmSync(join(place.work, 'copy'), { recursive: true });
        expect(JSON.stringify([ended, readers])).not.toContain(place.secret);
        expect(exits([...ended, ...readers])).toEqual([...ended, ...readers].map(() => 0));
      },
    ],
    [
      'so does one that lies in the index alone, and one of the repository itself',
      async () => {
        put(place.work, '.gitattributes', openers);
        gitIn(place.work, 'add', '.gitattributes');
        rmSync(join(place.work, '.gitattributes'));
        put(place.work, '.git/info/attributes', openers);
        const ended = await lines(showing);
        gitIn(place.work, 'reset', '--quiet');
        rmSync(join(place.work, '.git/info/attributes'));
        expect(exits(ended)).toEqual(showing.map(() => 0));
        expect(JSON.stringify(ended)).not.toContain(place.secret);
      },
    ],
    [
      'where the repository has no place for ours, one is made, though never behind a link',
      async () => {
        put(place.work, '.gitattributes', openers);
        renameSync(join(place.work, '.git/info'), join(place.work, '.git/other'));
        const made = await lines(showing);
        rmSync(join(place.work, '.git/info'), { recursive: true });
        put(place.work, '.git/info', 'no folder');
        const refused = await lines(showing);
        rmSync(join(place.work, '.git/info'));
        const elsewhere = join(place.work, '..', 'elsewhere.git');
        renameSync(join(place.work, '.git'), elsewhere);
        symlinkSync(elsewhere, join(place.work, '.git'));
        await lines(showing);
        const isMadeElsewhere = existsSync(join(elsewhere, 'info'));
        rmSync(join(place.work, '.git'));
        renameSync(elsewhere, join(place.work, '.git'));
        rmSync(join(place.work, '.gitattributes'));
        renameSync(join(place.work, '.git/other'), join(place.work, '.git/info'));
        expect(exits(made)).toEqual(showing.map(() => 0));
        expect(exits(refused)).toEqual(showing.map(() => 3));
        expect(isMadeElsewhere).toBe(false);
        expect(JSON.stringify([made, refused])).not.toContain(place.secret);
      },
    ],
  ],
  control: [
    'other files are shown, and what the repository ignores by itself stays ignored',
    async () => {
      put(place.work, '.git/info/exclude', 'ignored.txt\n');
      put(place.work, 'ignored.txt', 'x\n');
      const ended = await lines(['git show HEAD~1 -- plain.txt', 'git status --short']);
      expect(exits(ended)).toEqual([0, 0]);
      expect(JSON.stringify(ended)).toContain(place.inside);
      expect(JSON.stringify(ended)).not.toContain('ignored.txt');
    },
  ],
});
