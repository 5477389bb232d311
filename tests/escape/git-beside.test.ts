import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const settings = 'protected = ["own/secret.txt", "vault/**"]\n';
const place = usePlace({
  config: settings,
  fill: ({ work, secret, inside }) => {
    git(work, 'init', '--quiet', '--initial-branch=main');
    for (const path of ['.env', '.npmrc', 'own/secret.txt', 'vault/deep/b.txt']) {
      put(work, path, `API_TOKEN=${secret}\n`);
    }
    put(work, 'plain.txt', `${inside}\n`);
    put(work, 'other.txt', `API_TOKEN=${inside}\n`);
    git(work, 'add', '--all');
    git(work, 'commit', '--quiet', '-m', 'First');
    git(work, 'branch', 'side');
    git(work, 'worktree', 'add', '--quiet', join(work, 'trees/side'), 'side');
    fillSubmodule(join(work, 'super'), secret, inside);
    const replaced = git(work, 'rev-parse', 'HEAD:plain.txt');
    git(work, 'replace', replaced, git(work, 'rev-parse', 'HEAD:own/secret.txt'));
  },
});

function git(work: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  return execFileSync('git', ['-C', work, ...own, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

/** A repository that tracks another in a folder of it, whose own attributes open everything. */
function fillSubmodule(folder: string, secret: string, inside: string): void {
  const sub = join(folder, 'sub');
  for (const each of [folder, sub]) execFileSync('git', ['init', '--quiet', each]);
  for (const turn of ['1', '2']) {
    put(sub, '.gitattributes', '* diff\n');
    put(sub, '.env', `API_TOKEN=${secret}${turn}\n`);
    put(sub, 'plain.txt', `${inside}${turn}\n`);
    for (const each of [sub, folder]) {
      git(each, 'add', '--all', '--force');
      git(each, 'commit', '--quiet', '-m', `Turn ${turn}`);
    }
  }
}

const outputs = async (commands: readonly string[], allow: readonly string[] = []) => {
  const inputs = commands.map((command) => ({ command }));
  const ended = await runMany(place, 'shell.run', inputs, ['fs:work', ...allow]);
  return ended.map(({ content, message }) => (content as { stdout: string })?.stdout ?? message);
};

escapeCase('protected file by what git keeps beside it', {
  needs,
  denied: [
    [
      'a linked work tree shows the history that it shares',
      async () => {
        const commands = [
          ...[
            'git -C trees/side log -p',
            'git -C trees/side log -p main',
            'git -C trees/side show',
          ],
          ...['git -C trees/side grep API_TOKEN', 'git -C trees/side show main:own/secret.txt'],
          ...['git -C trees/side blame own/secret.txt', 'git -C trees/side/own log -p -- .'],
        ];
        const shown = await outputs(commands);
        expect(shown.filter((text) => text?.includes(place.secret))).toEqual([]);
        expect(shown[0]).toContain(place.inside);
      },
    ],
    [
      'a reference puts it in the place of another file',
      async () => {
        const commands = ['git show HEAD:plain.txt', 'git log -p', 'git cat-file -p :plain.txt'];
        const shown = await outputs(commands);
        expect(shown.filter((text) => text?.includes(place.secret))).toEqual([]);
        expect(shown.filter((text) => !text?.includes(place.inside))).toEqual([]);
      },
    ],
    [
      'a difference looks into a submodule',
      async () => {
        const options = ['--submodule=diff', '--subm=diff', '--ignore-submodules=none --su=diff'];
        const commands = options.flatMap((option) => [
          ...[`git -C super log -p ${option}`, `git -C super show ${option}`],
          ...[`git -C super diff ${option} HEAD~1 HEAD`, `git -C super diff ${option} HEAD~1`],
        ]);
        const shown = await outputs(commands, ['exec:git']);
        expect(shown.filter((text) => text?.includes(place.secret))).toEqual([]);
      },
    ],
    [
      'what git makes anew of it, cuervo calls otherwise and does not show',
      async () => {
        const granted = ['exec:git', 'exec:grep', 'fs-write:work'];
        const made = ['git clone -q . made', 'git worktree add -q anew', 'git clone -q . made'];
        await outputs(made, granted);
        const names = ['made/.npmrc', 'anew/.npmrc', 'made/.git'];
        expect(names.filter((name) => existsSync(join(place.work, name)))).toEqual([]);
        put(place.work, 'made/.git.withheld/COMMIT_EDITMSG', `API_TOKEN=${place.secret}\n`);
        const looks = names.map((name) => `cat ${name}.withheld`);
        const stored = 'cat made/.git.withheld/COMMIT_EDITMSG';
        const shown = await outputs(
          [
            ...looks,
            stored,
            'grep -r API_TOKEN made/.npmrc.withheld made/.git.withheld anew/.npmrc.withheld',
          ],
          granted,
        );
        expect(shown.filter((text) => text?.includes(place.secret))).toEqual([]);
        const [there] = names.map((name) => join(place.work, `${name}.withheld`));
        expect(readFileSync(there as string, 'utf8')).toContain(place.secret);
      },
    ],
    [
      'what files take in a pack tells how like they are',
      async () => {
        const commands = [
          ...['git repack -adf', 'git gc --aggressive', 'git rev-list --objects --disk-usage HEAD'],
          ...['git cat-file "--batch-check=%(objectsize:disk)"', 'git rev-list --disk-u HEAD'],
          ...[
            'git cat-file "--batch-check=%(objectname) %(deltabase)"',
            'git verify-pack -v x.idx',
          ],
          'git for-each-ref "--format=%(objectsize:disk)"',
        ];
        const inputs = commands.map((command) => ({ command }));
        const granted = ['fs:work', 'fs-write:work', 'exec:git'];
        const ended = await runMany(place, 'shell.run', inputs, granted);
        expect(ended.map(({ exit }) => exit)).toEqual(commands.map(() => 3));
      },
    ],
  ],
  control: [
    'git shows the rest of a work tree, and by itself all of it',
    async () => {
      const tree = join(place.work, 'trees/side');
      const shown = await outputs(
        ['git -C trees/side show HEAD:plain.txt', 'git cat-file "--batch-check=%(objectsize)"'],
        ['exec:git'],
      );
      expect(shown).toEqual([`${place.inside}\n`, '']);
      const [commits, below] = await outputs(
        ['git -C super diff --submodule=log HEAD~1 HEAD', 'git -C super/sub log -p'],
        ['exec:git'],
      );
      expect(commits).toContain('> Turn 2');
      expect(below).toContain(`${place.inside}2`);
      const opened = git(join(place.work, 'super'), 'diff', '--submodule=diff', 'HEAD~1', 'HEAD');
      expect(opened).toContain(place.secret);
      expect(git(place.work, 'show', 'HEAD:plain.txt')).toContain(place.secret);
      expect(git(tree, 'log', '-p')).toContain(place.secret);
      git(place.work, 'repack', '-adfq');
      const own = git(place.work, 'rev-parse', 'HEAD:own/secret.txt');
      expect(Number(git(place.work, 'rev-list', '--objects', '--disk-usage', own))).toBeGreaterThan(
        0,
      );
    },
  ],
});

/** A repository whose `.git` is a link to what lies in its place. */
function behindLink(name: string, to: string): void {
  const folder = join(place.work, name);
  put(folder, '.env', `API_TOKEN=${place.secret}\n`);
  put(folder, '.gitattributes', '* diff\n');
  put(folder, 'plain.txt', `${place.inside}\n`);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '-m', 'First');
  renameSync(join(folder, '.git'), to);
  symlinkSync(relative(folder, to), join(folder, '.git'));
}

escapeCase('repository behind a link in the place of .git', {
  needs,
  denied: [
    [
      'its history shows nothing protected',
      async () => {
        behindLink('behind', join(place.work, 'kept'));
        const commands = [
          ...['git -C behind log -p --text', 'git -C behind show HEAD --text'],
          ...['git -C behind show HEAD:.env', 'git -C behind grep API_TOKEN HEAD'],
          ...['git -C behind cat-file --batch-all-objects --batch', 'cat -r kept/objects'],
        ];
        const shown = await outputs(commands, ['exec:git', 'exec:cat']);
        expect(shown.filter((text) => text?.includes(place.secret))).toEqual([]);
        expect(shown[0]).toContain('plain.txt');
      },
    ],
    [
      'one that lies outside of the root is refused by name',
      async () => {
        behindLink('beyond', join(place.outside, 'kept'));
        const [said] = await outputs(['git -C beyond log -p --text'], ['exec:git']);
        expect(said).toContain('work:beyond/.git is a link out of the root');
      },
    ],
  ],
  control: [
    'what is not protected is shown',
    async () => {
      behindLink('plainly', join(place.work, 'also'));
      const [log, file] = await outputs([
        'git -C plainly log',
        'git -C plainly show HEAD:plain.txt',
      ]);
      expect(log).toContain('First');
      expect(file).toContain(place.inside);
    },
  ],
});
