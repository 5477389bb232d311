import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { type Ended, runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

/** Protected by the default list, by a name and by a folder of the configuration. */
const withheld = ['.env', 'own/secret.txt', 'vault/deep/b.txt', 'lib/keys.txt'];
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const place = usePlace({
  config:
    'protected = ["own/secret.txt", "vault/**", "lib/keys.txt"]\nunprotected = [".env.example"]\n',
  fill: ({ dir, work, secret, inside }) => {
    // Notes are commits, which an account without a name cannot make.
    put(dir, '.gitconfig', '[user]\n\tname = Ann\n\temail = ann@example.org\n');
    vi.stubEnv('HOME', dir);
    // A second repository in a folder of the first, which it does not track.
    put(work, '.gitignore', 'lib\nstore\n');
    for (const path of withheld) put(work, path, textOf(secret));
    for (const path of ['plain.txt', '.env.example', 'lib/plain.txt'])
      put(work, path, textOf(inside));
    for (const folder of ['', 'lib']) git(work, folder, 'init', '--quiet', '--initial-branch=main');
    commit(work, 'First');
    for (const path of withheld) put(work, path, textOf(`${secret} again`));
    put(work, 'plain.txt', textOf(`${inside} again`));
    commit(work, 'Second');
    // What was withheld under its old name is shown under the new one, as it is since then.
    git(work, '', 'mv', '.env', 'settings.txt');
    put(work, 'settings.txt', textOf('none'));
    commit(work, 'Third');
    const blob = git(work, '', 'rev-parse', 'HEAD~1:own/secret.txt');
    git(work, '', 'tag', 'light', blob);
    git(work, '', 'tag', '-a', 'heavy', '-m', 'A tag', blob);
    git(work, '', 'tag', 'folder', 'HEAD:own');
    for (const path of [
      'COMMIT_EDITMSG',
      'lost-found/other/x',
      'patches/main/fix',
      'rr-cache/x/preimage',
    ])
      put(work, `.git/${path}`, textOf(secret));
    put(work, '.svn/pristine/ab/abcd.svn-base', textOf(secret));
    symlinkSync('.git/rr-cache/x/preimage', join(work, 'led'));
    mkdirSync(join(work, 'empty'));
    // Objects of another repository, as an alternate in the workspace.
    git(work, '', 'clone', '--quiet', '--bare', '.', 'store/other.git');
    git(work, '', '-C', 'store/other.git', 'repack', '-adq');
    git(work, '', 'clone', '--quiet', '--shared', 'store/other.git', 'store/copy');
    // Named as it is found inside of a sandbox, too.
    put(work, 'store/copy/.git/objects/info/alternates', '../../../other.git/objects\n');
  },
});

const textOf = (token: string): string =>
  `${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((line) => `line ${line}\n`).join('')}TOKEN=${token}\n`;

function git(work: string, folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  const all = ['-C', join(work, folder), ...own, ...args];
  return execFileSync('git', all, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(work: string, message: string): void {
  for (const folder of ['', 'lib']) {
    git(work, folder, 'add', '--all');
    git(work, folder, 'commit', '--quiet', '--allow-empty', '-m', message);
  }
}

const lines = (commands: readonly string[], allow: readonly string[] = []) =>
  runMany(
    place,
    'shell.run',
    commands.map((command) => ({ command })),
    ['fs:work', ...allow],
  );
const calls = (all: readonly (readonly [string, JsonObject])[]) =>
  runMany(
    place,
    all.map(([tool]) => tool),
    all.map(([, input]) => input),
  );
const exits = (ended: readonly Ended[]) => ended.map(({ exit }) => exit);
/** Of the programs themselves. */
const codes = (ended: readonly Ended[]) =>
  ended.map(({ content }) => (content as { exitCode: number }).exitCode);
/** Those that show something of it. */
const showing = (ended: readonly Ended[]) =>
  ended.filter((each) => JSON.stringify(each).includes(place.secret)).map(({ input }) => input);
const blobOf = (path: string) => git(place.work, '', 'rev-parse', `HEAD~1:${path}`);

/** Each leads git to the bytes of a protected file, and says nothing of its path. */
const names = () => {
  const hash = blobOf('own/secret.txt');
  return [
    ...['light', 'heavy', 'refs/tags/light', 'light^{}', 'light^{blob}', 'heavy^{object}'],
    ...[hash, hash.slice(0, 9), `x-1-g${hash.slice(0, 9)}`, `v1.0-3-g${hash}`],
    ...['folder:secret.txt', 'HEAD^{tree}:plain.txt', `HEAD..${hash}`, `^${hash}`],
  ];
};

afterAll(() => vi.unstubAllEnvs());

escapeCase('content by a name that is not its path', {
  needs,
  denied: [
    [
      'git resolves a name to the content of a file',
      async () => {
        const commands = names().flatMap((name) => [
          ...[`git show ${name}`, `git cat-file -p ${name}`, `git diff ${name} HEAD:plain.txt`],
          ...[`git grep TOKEN ${name}`, `git log -p ${name}`],
        ]);
        const ended = await lines(commands);
        expect(showing(ended)).toEqual([]);
        expect(exits(ended)).toEqual(commands.map(() => 3));
        const shown = await calls(names().map((commit) => ['git.show', { commit }] as const));
        expect(exits(shown)).toEqual(names().map(() => 3));
        expect(showing(shown)).toEqual([]);
      },
    ],
    [
      'an option chooses references, or formats one, even under a grant',
      async () => {
        const commands = [
          ...['git show --all', 'git show --tags', 'git show "--tags=lig*"'],
          ...['git show "--glob=refs/tags/*"', 'git for-each-ref "--format=%(raw)"'],
          ...['git tag -l "--format=%(*raw)"', 'git branch --list "--format=%(if)%(raw)%(end)"'],
          ...['git for-each-ref --sort=-raw', 'git config --blob=light -l'],
          ...['git cat-file --batch-all-objects --batch', 'git fast-export --all'],
          ...['git bundle create - HEAD', 'git merge-tree HEAD~2 HEAD~2 HEAD'],
          ...['git checkout-index --temp own/secret.txt', 'git archive folder'],
        ];
        for (const allow of [[], ['exec:git']]) {
          const ended = await lines(commands, allow);
          expect(showing(ended)).toEqual([]);
          expect(exits(ended)).toEqual(commands.map(() => 3));
        }
      },
    ],
    [
      'an option takes an object to where it is shown, even under a grant',
      async () => {
        const commands = [
          ...['git notes add -fClight HEAD', 'git notes append --reuse-message=light HEAD'],
          ...['git notes --ref=x add -f -C light HEAD', 'git notes add -fc folder:secret.txt HEAD'],
          ...['git restore --source=HEAD~1:own -- secret.txt', 'git restore -WsHEAD~1:own -- .'],
          ...['git restore --sou=folder -- secret.txt', 'git checkout HEAD~1:own -- secret.txt'],
        ];
        const ended = await lines(commands, ['exec:git', 'fs-write:work']);
        expect(exits(ended)).toEqual(commands.map(() => 3));
        expect(showing(await lines(['git log -1', 'cat secret.txt']))).toEqual([]);
      },
    ],
    [
      'an order tells which of two objects is the lesser',
      async () => {
        const commands = [
          ...['git tag -l --sor=raw', 'git tag -l --sort=-version:raw', 'git tag -l --sort v:raw'],
          ...['git -c tag.sort=-raw tag -l', 'git ls-remote --sort=raw .'],
          ...['git for-each-ref --sort=*raw', 'git branch --so=raw --list'],
        ];
        const ended = await lines(commands, ['exec:git']);
        expect(exits(ended)).toEqual(commands.map(() => 3));
      },
    ],
    [
      'a patch names by its hash what it makes, or copies a protected file',
      async () => {
        const none = '0'.repeat(40);
        const binary = 'GIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n';
        const head = 'diff --git a/made.txt b/made.txt\nnew file mode 100644\n';
        put(place.work, 'made.patch', `${head}index ${none}..${blobOf('.env')}\n${binary}`);
        const copy = 'similarity index 100%\ncopy from own/secret.txt\ncopy to made.txt\n';
        put(place.work, 'copy.patch', `diff --git a/own/secret.txt b/made.txt\n${copy}`);
        const refused = [
          ...['git apply --cached copy.patch', 'git apply --inde copy.patch'],
          ...['git apply -3 made.patch', 'git apply -R3 made.patch', 'git am made.patch'],
        ];
        const granted = ['exec:git', 'fs-write:work'];
        const ended = await lines(['git apply made.patch', ...refused], granted);
        expect(exits(ended).slice(1)).toEqual(refused.map(() => 3));
        expect(showing(await lines(['cat made.txt', 'git show :made.txt']))).toEqual([]);
      },
    ],
    [
      'a folder without its commit is compared or searched',
      async () => {
        const commands = [
          ...['git diff HEAD:own HEAD:vault', 'git diff-tree -p HEAD~1:own HEAD:vault'],
          ...['git grep TOKEN HEAD:own', 'git grep TOKEN folder', 'git diff folder HEAD'],
        ];
        const ended = await lines(commands);
        expect(showing(ended)).toEqual([]);
        expect(exits(ended)).toEqual(commands.map(() => 3));
      },
    ],
  ],
  control: [
    'the same commands show commits, folders as lists, and files by their paths',
    async () => {
      const ended = await lines([
        ...['git show HEAD~1:plain.txt', 'git cat-file -p HEAD:plain.txt', 'git show :plain.txt'],
        ...['git show HEAD:.env.example', 'git diff HEAD~2:plain.txt HEAD:plain.txt'],
        ...['git grep TOKEN HEAD -- plain.txt', 'git diff HEAD~2^{tree} HEAD~1^{tree}'],
        ...['git log -p --all', 'git log -L10,10:plain.txt'],
      ]);
      expect(codes(ended)).toEqual(ended.map(() => 0));
      expect(ended.filter((each) => !JSON.stringify(each).includes(place.inside))).toEqual([]);
      const patch = '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n';
      put(
        place.work,
        'new.patch',
        `diff --git a/new.txt b/new.txt\nnew file mode 100644\n${patch}`,
      );
      const changed = await lines(
        [
          ...['git apply new.patch', 'git notes add -fC HEAD:plain.txt HEAD', 'git notes show'],
          ...['git restore --source=HEAD~1 -- plain.txt', 'git tag -l --sort=-refname'],
        ],
        ['exec:git', 'fs-write:work'],
      );
      expect(codes(changed)).toEqual(changed.map(() => 0));
      expect(JSON.stringify(changed)).toContain(place.inside);
      const names = await lines([
        ...['git show HEAD:own', 'git cat-file -p HEAD^{tree}', 'git cat-file -t light'],
        'git for-each-ref "--format=%(refname)"',
      ]);
      expect(codes(names)).toEqual(names.map(() => 0));
      expect(JSON.stringify(names)).toMatch(/secret\.txt.*plain\.txt.*blob.*refs\/tags\/light/s);
      // Git by itself shows them all.
      expect(git(place.work, '', 'show', 'light')).toContain(place.secret);
    },
  ],
});

escapeCase('names that a configuration protects, in a history', {
  needs,
  denied: [
    [
      'git shows them by their paths, even under a grant',
      async () => {
        const commands = [
          ...['git show HEAD:own/secret.txt', 'git cat-file -p HEAD:vault/deep/b.txt'],
          ...['git show :own/secret.txt', 'git show :0:own/secret.txt'],
          ...['git show HEAD@{0}:own/secret.txt', 'git show "HEAD^{/Sec}:own/secret.txt"'],
          ...['git log -L1,1:own/secret.txt', 'git log -L:line:vault/deep/b.txt'],
          ...['git blame own/secret.txt', 'git blame -p HEAD -- vault/deep/b.txt'],
          ...['git -C own show HEAD:./secret.txt', 'git -C own blame secret.txt'],
          ...['git -C vault log -L1,1:deep/b.txt', 'git show HEAD:OWN/Secret.txt'],
          ...['git -C lib show HEAD:keys.txt', 'git -C lib blame keys.txt'],
          ...['git -C vault show HEAD:../own/secret.txt', 'git show HEAD~1:.env'],
        ].filter((command) => !command.includes('OWN') || isCaseBlind());
        for (const allow of [[], ['exec:git']]) {
          const ended = await lines(commands, allow);
          expect(showing(ended)).toEqual([]);
          expect(exits(ended)).toEqual(commands.map(() => 3));
        }
        const tools = await calls([
          ['git.show', { commit: 'HEAD:own/secret.txt' }],
          ['git.blame', { path: 'own/secret.txt' }],
          ['git.diff', { from: 'HEAD:own/secret.txt', to: 'HEAD:plain.txt' }],
          ['file.read', { path: 'own/secret.txt' }],
        ]);
        expect(exits(tools)).toEqual([3, 3, 3, 3]);
      },
    ],
    [
      'a difference shows them, as text, of a repository below and of the lines of a file',
      async () => {
        const commands = [
          ...['git log -p', 'git -C lib log -p', 'git -C lib show HEAD~1', 'git diff HEAD~2'],
          ...['git log -L1,10:settings.txt', 'git log --follow -p -- settings.txt'],
        ];
        const asText = [
          ...['git log -p --text', 'git log -pa', 'git show --binary HEAD~1', 'git reflog -p -a'],
          ...['git diff-tree -p -a HEAD~2 HEAD', 'git diff-tree -p --text HEAD~2 HEAD~1'],
          ...['git format-patch --stdout HEAD~2', 'git archive HEAD', 'git fast-export HEAD'],
        ];
        const ended = await lines([...commands, ...asText], ['exec:git']);
        expect(showing(ended)).toEqual([]);
        expect(codes(ended)).toEqual(ended.map(() => 0));
        // Without the grant they are not readers.
        const readers = await lines(asText.slice(0, 6));
        expect(exits(readers)).toEqual([3, 3, 3, 3, 3, 3]);
      },
    ],
  ],
  control: [
    'what is not protected is shown by the same commands',
    async () => {
      const ended = await lines(
        [
          ...['git show HEAD:plain.txt', 'git log -L10,10:plain.txt', 'git blame plain.txt'],
          ...['git -C lib show HEAD:plain.txt', 'git -C lib log -p', 'git log -pa'],
          ...['git archive HEAD', 'git diff-tree -p -a HEAD~2 HEAD~1'],
        ],
        ['exec:git'],
      );
      expect(codes(ended)).toEqual(ended.map(() => 0));
      expect(ended.filter((each) => !JSON.stringify(each).includes(place.inside))).toEqual([]);
      expect(git(place.work, '', 'show', 'HEAD:own/secret.txt')).toContain(place.secret);
      expect(git(place.work, '', 'log', '-L1,10:settings.txt')).toContain(place.secret);
    },
  ],
});

/** Whether another spelling of a name is the same file here. */
function isCaseBlind(): boolean {
  try {
    return readFileSync(join(place.work, 'PLAIN.txt')).length > 0;
  } catch {
    return false;
  }
}

/** Most of what the file held at first, with a line that is right or wrong. */
const guessed = (isRight: boolean): string =>
  textOf(isRight ? place.secret : place.secret.replace(/./g, 'x')).replace('line 1', 'line a');

/** What commands say of a file in the work tree that holds a guess. */
async function told(commands: readonly string[], isRight: boolean, allow: readonly string[] = []) {
  put(place.work, 'settings.txt', guessed(isRight));
  const ended = await lines(commands, allow);
  put(place.work, 'settings.txt', textOf('none'));
  expect(codes(ended)).toEqual(commands.map(() => 0));
  return ended.map(({ content }) => content);
}

escapeCase('searches of what a protected file holds', {
  needs,
  denied: [
    [
      'a right guess is answered as a wrong one',
      async () => {
        const searches = (guess: string) => [
          ...[`git grep -c ${guess} HEAD`, `git grep -l ${guess} HEAD~1`, `git grep -q ${guess}`],
          ...[`git grep -c ${guess} HEAD -- own`, `git -C own grep -c ${guess} HEAD`],
          ...[`git -C lib grep -c ${guess} HEAD`, `git grep -L ${guess} HEAD -- own vault`],
          ...[`git --literal-pathspecs grep -c ${guess} HEAD -- own`, `git grep -z ${guess} HEAD`],
          ...[`git log -S${guess} --oneline`, `git log -G ${guess} --oneline`],
          ...[`git log -S ${guess} --oneline -- own`, `git log -pS${guess} --all`],
          ...[`git diff -S${guess} --stat HEAD~2`, `git diff-tree -r -S ${guess} HEAD~2 HEAD`],
          ...[`git log --full-diff -S ${guess} --oneline -- plain.txt`],
          ...[`git log --pickaxe-regex -S ${guess} --oneline`, `git -C lib log -S ${guess}`],
        ];
        const [right, wrong] = [place.secret.slice(0, 14), 'nothing-holds-it'];
        for (const allow of [[], ['exec:git']]) {
          const said = async (guess: string) =>
            (await lines(searches(guess), allow)).map(({ exit, content }) => ({ exit, content }));
          expect(await said(right)).toEqual(await said(wrong));
        }
      },
    ],
    [
      'a file with a right guess is as like to it as one with a wrong guess',
      async () => {
        const alike = '-B1%/1% -C1% --find-copies-harder --name-status';
        const commands = [
          ...[`git diff ${alike} HEAD~2`, `git diff-index ${alike} HEAD~2`, `git diff ${alike}`],
          ...[`git diff ${alike} HEAD~1 .`, 'git diff --name-status -M20 HEAD~2'],
        ];
        for (const allow of [[], ['exec:git']])
          expect(await told(commands, true, allow)).toEqual(await told(commands, false, allow));
      },
    ],
    [
      'it is taken for the same under a new name as little',
      async () => {
        const commands = ['git diff --name-status HEAD~2', 'git diff --stat HEAD~2 .'];
        expect(await told(commands, true)).toEqual(await told(commands, false));
        const copies = commands.map((command) =>
          command.replace('diff', '-c diff.renames=copies diff'),
        );
        expect(copies[0]).toContain('git -c');
        expect(await told(copies, true, ['exec:git'])).toEqual(
          await told(copies, false, ['exec:git']),
        );
      },
    ],
    [
      'lines of a file are looked for in it',
      async () => {
        const commands = [
          ...['git blame -s -C1 -C1 -C1 settings.txt', 'git blame -sC -C -- settings.txt'],
          ...['git blame -C -L 1,2 -- settings.txt', 'git annotate -C -C settings.txt'],
          ...['git blame -C --since x -- settings.txt', 'git blame -C HEAD settings.txt'],
          'git blame -C --contents plain.txt HEAD -- settings.txt',
        ];
        for (const allow of [[], ['exec:git']])
          expect(exits(await lines(commands, allow))).toEqual(commands.map(() => 3));
      },
    ],
  ],
  control: [
    'other files, and lifted names, are searched',
    async () => {
      const guess = place.inside.slice(0, 14);
      const ended = await lines([
        ...[`git grep -c ${guess} HEAD`, `git grep -c ${guess}`],
        ...[`git log -S${guess} --oneline`, `git diff -G${guess} --stat HEAD~2`],
        ...[`git -C lib grep -c ${guess}`, 'git grep -c TOKEN HEAD -- settings.txt'],
      ]);
      expect(codes(ended)).toEqual(ended.map(() => 0));
      const outputs = ended.map(({ content }) => (content as { stdout: string }).stdout);
      expect(outputs[0]).toBe('HEAD:.env.example:1\nHEAD:inside.txt:1\nHEAD:plain.txt:1\n');
      expect(outputs[2]).toMatch(/ First$/m);
      expect(outputs.filter((output) => output === '')).toEqual([]);
      const [right, wrong] = [true, false].map((isRight) => {
        put(place.work, 'settings.txt', guessed(isRight));
        return git(place.work, '', 'diff', '--name-status', 'HEAD~2');
      });
      expect(right).toMatch(/^R\d+\t.env\tsettings.txt$/m);
      expect(right).not.toBe(wrong);
      put(place.work, 'settings.txt', textOf('none'));
      // Files that are alike are found, and lines of a commit in other files of it.
      git(place.work, '', 'mv', 'plain.txt', 'moved.txt');
      put(place.work, 'moved.txt', `${textOf(place.inside)}more\n`);
      const [moved, copied] = await lines([
        ...['git diff --name-status HEAD', 'git blame -s -C -C HEAD~1 -- plain.txt'],
      ]);
      git(place.work, '', 'mv', 'moved.txt', 'plain.txt');
      put(place.work, 'plain.txt', textOf(`${place.inside} again`));
      expect(moved?.content).toMatchObject({
        stdout: expect.stringMatching(/^R\d+\tplain.txt\tmoved.txt$/m),
      });
      expect(copied?.content).toMatchObject({ exitCode: 0 });
      // The guess of the denial is right.
      expect(git(place.work, '', 'grep', '-c', place.secret.slice(0, 14), 'HEAD')).toContain('own');
    },
  ],
});

const packOf = (folder: string) => {
  const listed = readdirSync(join(place.work, folder));
  return `${folder}/${listed.find((name) => name.endsWith('.pack'))}`;
};

escapeCase('files in which git keeps content', {
  needs,
  denied: [
    [
      'a program reads them, packed, loose, of another repository or by a git of its own',
      async () => {
        const hash = blobOf('own/secret.txt');
        const loose = `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`;
        const readers = [
          ...[`cat ${loose}`, `cat ${packOf('store/other.git/objects/pack')}`],
          ...[`head -c 40 ${loose}`, `wc -c ${loose}`],
        ];
        const granted = [
          "sh -c 'git show HEAD:own/secret.txt'",
          "sh -c 'git cat-file -p light'",
          "sh -c 'git -C store/copy show HEAD:own/secret.txt'",
        ];
        const ended = await lines([...readers, ...granted], ['exec:sh']);
        expect(showing(ended)).toEqual([]);
        for (const { content } of ended) {
          expect(content).toMatchObject({ stdout: expect.stringMatching(/^$/) });
        }
      },
    ],
    [
      'a plugin reads and lists them',
      async () => {
        const hash = blobOf('own/secret.txt');
        const paths = [
          `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`,
          packOf('store/other.git/objects/pack'),
        ];
        const ended = await calls([
          ...paths.map((path) => ['file.read', { path }] as const),
          ['file.list', { path: '.git/objects' }],
        ]);
        expect(exits(ended)).toEqual([3, 3, 3]);
      },
    ],
    [
      'what else lies in a .git, or another program for versions kept, is read',
      async () => {
        const paths = [
          ...['.git/COMMIT_EDITMSG', '.git/lost-found/other/x', '.git/patches/main/fix'],
          ...['.git/rr-cache/x/preimage', '.svn/pristine/ab/abcd.svn-base', 'led'],
        ];
        const ended = await calls(paths.map((path) => ['file.read', { path }] as const));
        expect(exits(ended)).toEqual(paths.map(() => 3));
        const found = await calls([
          ['search.grep', { pattern: 'TOKEN=' }],
          ['search.grep', { pattern: 'TOKEN=', path: '.git' }],
        ]);
        const read = await lines(
          [`cat ${paths.join(' ')}`, 'grep -r TOKEN .git .svn led'],
          ['exec:grep'],
        );
        expect(showing([...found, ...read])).toEqual([]);
      },
    ],
    [
      'git reads one as if it were any other file, even without a grant',
      async () => {
        const stored = ['.git/rr-cache/x/preimage', 'led'];
        const readers = stored.flatMap((path) => [
          ...[`git diff ${path} /dev/null`, `git diff /dev/null ${path}`],
          `git -C .git diff ../${path} /dev/null`,
        ]);
        const granted = stored.flatMap((path) => [
          ...[`git commit --allow-empty -F ${path}`, `git commit --allow-empty -qF${path}`],
          ...[`git hash-object -w ${path}`, `git interpret-trailers ${path}`],
          ...[`git merge-file -p ${path} plain.txt lib/plain.txt`, `git config -lf${path}`],
          ...[`git blame --contents=${path} plain.txt`, `git tag -aF ${path} told`],
          ...[`git add --pathspec-from-file=${path}`, `git archive --add-file=${path} HEAD`],
          ...[`git notes add -fF ${path}`, `git diff --no-index ${path} plain.txt`],
        ]);
        const ended = [
          ...(await lines(readers)),
          ...(await lines(granted, ['exec:git', 'fs-write:work'])),
        ];
        expect(showing(ended)).toEqual([]);
        expect(exits(ended)).toEqual(ended.map(() => 3));
      },
    ],
    [
      'a difference of two folders shows it',
      async () => {
        const commands = ['git diff --no-index box empty', 'git diff --no-index empty box'];
        git(place.work, '', 'init', '--quiet', 'box');
        put(place.work, 'box/.git/rr-cache/x/preimage', textOf(place.secret));
        const ended = await lines(commands, ['exec:git']);
        expect(showing(ended)).toEqual([]);
        expect(codes(ended)).toEqual([1, 1]);
      },
    ],
  ],
  control: [
    'git works with them, and the rest of a repository is read',
    async () => {
      const ended = await lines([
        ...['git show HEAD:plain.txt', 'git -C store/copy show HEAD:plain.txt'],
        ...['cat plain.txt', 'cat .git/HEAD', 'cat .git/logs/HEAD', 'git -C own diff HEAD'],
      ]);
      expect(codes(ended)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(JSON.stringify(ended).split(place.inside).length - 1).toBe(3);
      const [head] = await calls([['file.read', { path: '.git/HEAD' }]]);
      expect(head?.exit).toBe(0);
      const pack = readFileSync(join(place.work, packOf('store/other.git/objects/pack')));
      expect(pack.length).toBeGreaterThan(100);
      appendFileSync(join(place.work, 'plain.txt'), 'more\n');
      writeFileSync(join(place.work, 'new.txt'), 'new\n');
      const [status] = await lines(['git status --short']);
      expect(JSON.stringify(status)).toContain('M plain.txt');
    },
  ],
});
