import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Ended, runMany } from '../support/run-many.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

/** Nobody wrote a guest here: the plugin `shell` is obeyed by whoever reaches its tool. */
const place = usePlace({
  fill: ({ work, secret }) => {
    put(work, 'two words.txt', 'b\na\n');
    put(work, '.env', secret);
    chmodSync(put(work, 'evil', '#!/bin/sh\ntouch made.txt\ncat\n'), 0o755);
  },
});
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const made = (): boolean => existsSync(join(place.work, 'made.txt'));
const removeMade = (): void => rmSync(join(place.work, 'made.txt'), { force: true });

type Output = { exitCode: number; stdout: string; stderr: string };
const runAll = (lines: readonly string[], allow?: readonly string[]): Promise<Ended[]> =>
  runMany(
    place,
    'shell.run',
    lines.map((command) => ({ command })),
    allow,
  );

/** Each line was refused, with one of these exit codes, and none of them did anything. */
async function expectNoneRuns(lines: readonly string[], exits: readonly number[]): Promise<void> {
  const before = place.state();
  const ended = await runAll(lines);
  expect(ended.filter(({ exit }) => !exits.includes(exit))).toEqual([]);
  for (const { message = '' } of ended) expect(message).not.toContain(place.secret);
  expect(made()).toBe(false);
  expect(place.state()).toBe(before);
}

/** A line of quotes and escapes as a shell would read it, in which nothing is an operator. */
const quoted = [
  "echo 'a; touch made.txt'",
  'echo "a && touch made.txt"',
  'echo a\\; touch made.txt',
  'echo a \\| tee made.txt',
  "echo '$(touch made.txt)' '`touch made.txt`'",
  "echo 'a > made.txt' a\\>made.txt",
  'echo "it\'s" \'"\' "\\"; touch made.txt; \\""',
  "echo 'a'\"'\"'b; touch made.txt'",
  'echo a#b \'# touch\' "#" # ; touch made.txt',
  'echo "two  blanks"   one\\ word ""',
  'cat "two words.txt" | sort',
];

escapeCase('quoting and operators in shell', {
  needs,
  denied: [
    [
      'what is quoted is a word, letter for letter as a shell reads it',
      async () => {
        const ended = await runAll(quoted);
        const shell = (line: string): string =>
          execFileSync('/bin/sh', ['-c', line], { cwd: place.work, encoding: 'utf8' });
        expect(ended.map(({ content }) => (content as Output | undefined)?.stdout)).toEqual(
          quoted.map(shell),
        );
        expect(made()).toBe(false);
      },
    ],
    [
      'what an operator starts is judged by itself, and denied with exit 3',
      () =>
        expectNoneRuns(
          [
            'echo a; touch made.txt',
            'echo a && touch made.txt',
            'false || touch made.txt',
            'echo a | tee made.txt',
            'echo a\ntouch made.txt',
            't""ou\'c\'h made.txt',
            'X=touch; $X made.txt',
            'echo a > made.txt',
            'echo a &> made.txt',
            'cat two*.txt >> made.txt',
          ],
          [3],
        ),
    ],
    [
      'what would be obeyed later or by another is denied, whatever stands in it',
      () =>
        expectNoneRuns(
          [
            "sh -c 'touch made.txt'",
            'env touch made.txt',
            'xargs touch made.txt',
            'timeout 5 touch made.txt',
            'nohup touch made.txt',
            'busybox touch made.txt',
            'X=touch; sh -c "$X made.txt"',
          ],
          [3],
        ),
    ],
    [
      'what is not understood is refused before anything of it runs',
      () =>
        expectNoneRuns(
          [
            'touch made.txt; echo $(touch made.txt)',
            'touch made.txt; echo `touch made.txt`',
            'touch made.txt; cat <(touch made.txt)',
            'touch made.txt; cat << end\ntouch made.txt\nend',
            'touch made.txt &',
            'cd .. && touch made.txt',
            './evil',
            'touch made.txt; { touch made.txt; }',
            'touch made.txt; (touch made.txt)',
            "touch made.txt; echo $'\\x60touch made.txt\\x60'",
            'touch made.txt; X=1 touch made.txt',
            'touch made.txt; eval touch made.txt',
            'touch made.txt; for f in a; do touch made.txt; done',
            'touch made.txt; echo "not closed',
            'touch made.txt; echo \u0000 \u001b[2J',
          ],
          [2, 3],
        ),
    ],
  ],
  control: [
    'with the grants the same operators do what they say',
    async () => {
      const allow = ['fs:work', 'fs-write:work', 'exec:touch'];
      for (const line of [
        'echo a; touch made.txt',
        'echo a && touch made.txt',
        'false || touch made.txt',
        'X=touch; $X made.txt',
        'echo a > made.txt',
      ]) {
        const [ended] = await runAll([line], allow);
        expect([line, ended]).toMatchObject([line, { exit: 0 }]);
        expect([line, made()]).toEqual([line, true]);
        removeMade();
      }
    },
  ],
});

escapeCase('argument injection', {
  needs,
  denied: [
    [
      'a reader with an argument that writes or starts something is none, exit 3',
      () =>
        expectNoneRuns(
          [
            'git -c core.fsmonitor=./evil status',
            'git -ccore.pager=./evil log',
            'git --exec-path=. status',
            'git --git-dir=evil status',
            'git fetch --upload-pack=./evil .',
            'git ls-remote --upload-pack=./evil .',
            'git grep --open-files-in-pager=./evil a',
            'git diff --ext-diff',
            'git log --output=made.txt',
            'git diff --no-index /etc/hostname inside.txt',
            "find . -exec touch made.txt ';'",
            'find . -execdir ./evil +',
            'find . -fprint made.txt',
            'find . -delete',
            'rg --pre ./evil a',
            'rg --pre=./evil a',
            'rg --hostname-bin ./evil a',
            'rg -f /etc/hostname .',
            'grep -f /etc/hostname inside.txt',
            'sort -o made.txt inside.txt',
            'sort --output=made.txt inside.txt',
            'sort --outp=made.txt inside.txt',
            'sort --compress-program=./evil inside.txt',
            'sort --files0-from=/etc/hostname',
            'sed -n "w made.txt" inside.txt',
            "sed 's/a/touch made.txt/e' inside.txt",
            'sed -i s/a/b/ inside.txt',
            'awk \'BEGIN{system("touch made.txt")}\'',
            'tar --checkpoint-action=exec=./evil -cf made.txt .',
            'tree -o made.txt',
            'uniq inside.txt made.txt',
            'diff @inside.txt /etc/hostname',
            'jq --from-file /etc/hostname .',
            'curl @inside.txt',
            'cat .env',
            'cat .e*',
            'cat ../outside/secret.txt',
            `cat ${place.outside}/secret.txt`,
          ],
          [3],
        ),
    ],
    [
      'a file whose name is an option stays a file, also for a program that was granted',
      async () => {
        const names = ['-o', '--output=made.txt', '--compress-program=.', '-exec'];
        for (const name of names) put(place.work, `odd/${name}`, 'x\n');
        const ended = await runAll(['cd odd && sort *'], ['fs:work', 'exec:sort']);
        expect(ended).toMatchObject([{ exit: 0, content: { stdout: 'x\nx\nx\nx\n' } }]);
        expect(existsSync(join(place.work, 'odd/made.txt'))).toBe(false);
        rmSync(join(place.work, 'odd'), { recursive: true });
      },
    ],
    [
      'the tools of git take no option for a name',
      async () => {
        execFileSync('git', ['init', '--quiet', place.work]);
        const names = ['--output=made.txt', '-O./evil', '--ext-diff', '--upload-pack=./evil'];
        for (const [tool, key] of [
          ['git.log', 'from'],
          ['git.diff', 'from'],
          ['git.show', 'commit'],
        ] as const) {
          const inputs = names.map((name) => ({ [key]: name }));
          const ended = await runMany(place, tool, inputs, ['fs:work', 'exec:git']);
          expect(ended.filter(({ exit }) => exit === 0)).toEqual([]);
        }
        expect(made()).toBe(false);
        rmSync(join(place.work, '.git'), { recursive: true });
      },
    ],
  ],
  control: [
    'the same programs with arguments that read',
    async () => {
      const lines = [
        'git --version',
        'find . -name "*.txt"',
        'rg -n a "two words.txt"',
        'grep -n a "two words.txt"',
        'sort -u "two words.txt"',
        'uniq inside.txt',
        'cat inside.txt',
      ];
      const ended = await runAll(lines);
      expect(ended.map(({ exit }) => exit)).toEqual(lines.map(() => 0));
      for (const { content } of ended) expect((content as Output).stdout).not.toBe('');
    },
  ],
});

escapeCase('repository configured to execute', {
  needs,
  denied: [
    'neither readers nor a granted git start what hooks and configuration name',
    async () => {
      const ran = (): boolean => existsSync(join(place.work, 'ran'));
      // Of the repository's configuration a commit takes the name, and starts nothing.
      put(place.dir, '.gitconfig', '[user]\n\tname = Bea\n\temail = bea@example.org\n');
      vi.stubEnv('HOME', place.dir);
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', place.work, ...args], { encoding: 'utf8', stdio: 'pipe' });
      const script = `#!/bin/sh\ntouch "${place.work}/ran" ran /roots/work/ran\ncat </dev/null\n`;
      git('init', '--quiet');
      git('config', 'user.name', 'Ann');
      git('config', 'user.email', 'ann@example.org');
      git('add', 'inside.txt');
      git('commit', '--quiet', '-m', 'First');
      // As git starts it, through a shell: outside, and where the workspace lies in the sandbox.
      const starts = `f() { touch "${place.work}/ran" /roots/work/ran 2>/dev/null; true; }; f`;
      for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.editor'])
        git('config', key, starts);
      for (const key of ['filter.x.clean', 'diff.x.textconv', 'diff.x.command', 'merge.x.driver'])
        git('config', key, starts);
      git('config', 'alias.st', `!${starts}`);
      git('config', 'diff.external', starts);
      put(place.work, '.gitattributes', '*.txt filter=x diff=x merge=x\n');
      for (const hook of ['pre-commit', 'post-commit', 'post-checkout', 'post-index-change'])
        chmodSync(put(place.work, `.git/hooks/${hook}`, script), 0o755);
      writeFileSync(join(place.work, 'inside.txt'), 'changed\n');
      const readers = ['git status', 'git diff', 'git log -p', 'git show', 'git blame inside.txt'];
      const read = await runAll(readers);
      expect(read.map(({ exit }) => exit)).toEqual(readers.map(() => 0));
      expect(ran()).toBe(false);
      const writers = [
        ...['git add .gitattributes', 'git commit -m Second', 'git checkout -b other'],
        ...['git status', 'git diff HEAD~1', 'git st', 'git add inside.txt'],
      ];
      const written = await runAll(writers, ['fs:work', 'exec:git']);
      expect(written.slice(0, 5)).toMatchObject(writers.slice(0, 5).map(() => ({ exit: 0 })));
      expect(written.slice(5)).toMatchObject([{ exit: 3 }, { exit: 3 }]);
      expect(ran()).toBe(false);
      expect(git('log', '-1', '--format=%an %s')).toBe('Ann Second\n');
      vi.unstubAllEnvs();
    },
  ],
  control: [
    'git by itself starts it at once',
    () => {
      writeFileSync(join(place.work, 'inside.txt'), 'changed again\n');
      execFileSync('git', ['-C', place.work, 'diff'], { stdio: 'ignore' });
      expect(existsSync(join(place.work, 'ran'))).toBe(true);
    },
  ],
});
