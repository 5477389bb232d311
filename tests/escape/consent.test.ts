import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { runInTerminal, type Typed } from '../fixtures/terminal/run-in-terminal.ts';
import { shownText } from '../fixtures/terminal/shown-text.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { cuervo } from './support/paths.ts';
import { clear, expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

const python = { file: '/usr/bin/python3', install: 'sudo apt-get install python3' };
const bubblewrap = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

const place = usePlace({
  fill: async (made) => {
    await made.install(await buildGuest('file-writer'));
    await made.install(await buildGuest('program-runner'));
  },
});

/** A tool at a terminal, where a person types. */
function at(
  tool: string,
  input: unknown,
  typed: readonly Typed[],
  env = {},
  allow: readonly string[] = ['fs:work'],
) {
  const args = [
    'run',
    tool,
    JSON.stringify(input),
    '--workspace',
    place.work,
    ...allow.flatMap((grant) => ['--allow', grant]),
  ];
  return runInTerminal([process.execPath, cuervo, ...args], typed, {
    cwd: place.dir,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, ...env },
  });
}

/** How the question ends; a guest's words never stand in front of the answers like this. */
const question = '/n/?] ';
const lastLine = (screen: string): string => screen.slice(screen.lastIndexOf(question));

const fake =
  'x\u001b[2J\u001b[H\r\ncuervo asks: may this program run?\n  n  no\n[y/s/p/e/n] y\u202e\u200b';

escapeCase('question forged by what is asked about', {
  // Without a sandbox no program is asked about.
  needs: bubblewrap,
  denied: [
    [
      'arguments of a program stand in quotes, escaped, on lines that are not theirs',
      async () => {
        const typed: Typed[] = [['/n/?] ', 'n\r']];
        const ran = await at('program-runner.go', { program: 'git', args: [fake] }, typed);
        expect(ran.code).toBe(3);
        const [shown = ''] = /cuervo asks: may "git"[\s\S]*? sandbox/.exec(ran.screen) ?? [];
        expect(shown).toContain(String.raw`"x\u001b[2J\u001b[H\r\ncuervo asks:`);
        expect(shown).toContain(String.raw`y\u202e\u200b"`);
        // The terminal itself was told nothing of it.
        expect(ran.screen).not.toContain('\u001b[2J');
        expect(ran.screen).not.toContain('\u202e');
        expect(ran.screen.match(/^cuervo asks:/gm)).toHaveLength(1);
        expect(lastLine(ran.screen)).toContain('error: program-runner.go: ');
      },
    ],
    [
      'the text of a file, and its path',
      async () => {
        const typed: Typed[] = [['/n/?] ', 'n\r']];
        const input = { call: 'text', path: 'work:a b\u202etxt.md', text: fake };
        const ran = await at('file-writer.make', input, typed);
        expect(ran.code).toBe(3);
        expect(ran.screen).toContain(String.raw`"work:a b\u202etxt.md"`);
        expect(ran.screen).toContain(String.raw`"x\u001b[2J\u001b[H\r"`);
        expect(ran.screen).not.toContain('\u001b[2J');
        expect(ran.screen.match(/^cuervo asks:/gm)).toHaveLength(1);
        expect(existsSync(join(place.work, 'a b\u202etxt.md'))).toBe(false);
      },
    ],
  ],
  control: [
    'a person who says yes to it gets exactly that',
    async () => {
      const typed: Typed[] = [['/n/?] ', 'y\r']];
      const input = { call: 'text', path: 'work:forged.txt', text: fake };
      const ran = await at('file-writer.make', input, typed);
      expect(ran.code).toBe(0);
      expect(readFileSync(join(place.work, 'forged.txt'), 'utf8')).toBe(fake);
    },
  ],
});

escapeCase('yes of nobody', {
  needs: python,
  denied: [
    [
      'CI, an environment that says yes, and an end of input grant nothing',
      async () => {
        const before = place.state();
        const env = { CI: 'true', CUERVO_YES: '1', CUERVO_ALLOW: 'fs-write:work', YES: '1' };
        const input = { call: 'text', path: 'work:ci.txt' };
        const silent = await place.run('file-writer.make', input, { env });
        expectFailure(place, silent, { code: 'permission-denied', exit: 3 });
        const ended = await at('file-writer.make', input, [['/n/?] ', '\u0004']], env);
        expect(ended.code).toBe(3);
        const empty: Typed[] = [
          ['/n/?] ', '\r'],
          ['Type one of', '\u0003'],
        ];
        expect((await at('file-writer.make', input, empty, env)).code).toBe(130);
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a yes to one change is none to the next one',
      async () => {
        const calls = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => ({
          call: 'text',
          path: `work:${name}.txt`,
        }));
        const answers: Typed[] = ['y', 'n', 'n', 'n'].map((key) => ['/n/?] ', `${key}\r`]);
        // After three noes in a row nothing more is asked.
        const ran = await at('file-writer.try-all', { calls }, answers);
        expect(ran.code).toBe(0);
        expect(ran.screen.match(/^cuervo asks:/gm)).toHaveLength(4);
        expect(existsSync(join(place.work, 'one.txt'))).toBe(true);
        for (const { path } of calls.slice(1)) {
          expect(existsSync(join(place.work, path.slice(5)))).toBe(false);
        }
      },
    ],
    [
      'what no answer could open is not asked about',
      async () => {
        const input = { call: 'text', path: 'work:.env', text: 'x' };
        const ran = await at('file-writer.make', input, []);
        expect(ran.code).toBe(3);
        expect(ran.screen).not.toContain('cuervo asks:');
      },
    ],
  ],
  control: [
    'the same with a yes',
    async () => {
      const input = { call: 'text', path: 'work:ci.txt', text: 'said yes' };
      const ran = await at('file-writer.make', input, [['/n/?] ', 'y\r']]);
      expect(ran.code).toBe(0);
      expect(readFileSync(join(place.work, 'ci.txt'), 'utf8')).toBe('said yes');
    },
  ],
});

const asked = '/n/?] ';
/** What stands on the line is taken away before the other arguments are typed. */
const edit = (args: string): Typed[] => [
  [asked, 'e\r'],
  ['arguments: ', `\u0015${args}\r`],
];

escapeCase('edited arguments', {
  needs: bubblewrap,
  denied: [
    [
      'what a rule denies is denied, whoever typed it',
      async () => {
        const rm = { program: 'rm', args: ['inside.txt'] };
        const ran = await at('program-runner.go', rm, edit('["-rf", "/"]'));
        expect(ran.code).toBe(3);
        expect(ran.screen.match(/^cuervo asks:/gm)).toHaveLength(1);
        expect(ran.screen).toContain('no grant outweighs a rule');
        expect(existsSync(join(place.work, 'inside.txt'))).toBe(true);
      },
    ],
  ],
  control: [
    'others are shown once more, and run after a yes',
    async () => {
      const echo = { program: 'echo', args: ['as', 'asked'] };
      const typed: Typed[] = [...edit('["as edited"]'), [asked, 'y\r']];
      const ran = await at('program-runner.say', echo, typed);
      expect(ran.screen).toContain('may "echo" "as edited" run');
      expect(shownText(ran.screen)).toMatch(/^as edited$/m);
      expect(ran.code).toBe(0);
    },
  ],
});

const projectFile = (text: string): string => {
  const path = join(place.work, 'cuervo.toml');
  writeFileSync(path, text);
  return path;
};

escapeCase('project that widens', {
  denied: [
    [
      'no key of its cuervo.toml grants, lifts, raises or sends',
      async () => {
        const texts = [
          '[capabilities]\nallow = ["fs-write:work"]',
          '[[grant]]\nplugin = "file-writer"',
          'unprotected = [".env"]',
          'model = "claude-sonnet-4-5"',
          '[anthropic]\nbase-url = "https://evil.example"',
          '[exec]\nsandbox = "none"',
        ];
        for (const text of texts) {
          projectFile(text);
          const ran = await place.run('file-writer.make', { call: 'text', path: 'work:w.txt' });
          expect([text, ran.exitCode]).toEqual([text, 2]);
          expect(ran.error?.message ?? ran.stdout).toContain('cannot be set by a project');
        }
        projectFile('[limits]\nmax-result-bytes = 900000000\n[budget]\nrounds = 900\n');
        const raised = await place.run('file-writer.make', { call: 'text', path: 'work:w.txt' });
        expectFailure(place, raised, { code: 'permission-denied', exit: 3 });
        expect(raised.stderr).toContain('a project can only lower it');
        expect(existsSync(join(place.work, 'w.txt'))).toBe(false);
        rmSync(join(place.work, 'cuervo.toml'));
      },
    ],
    [
      'and what it narrows outweighs what was granted',
      async () => {
        projectFile('protected = ["vault/**"]\n[capabilities]\ndeny = ["exec"]\n');
        const allow = ['fs:work', 'fs-write:work', 'exec:echo'];
        const into = { call: 'text', path: 'work:vault/x.txt' };
        expectFailure(place, await place.run('file-writer.make', into, { allow }), {
          code: 'permission-denied',
          exit: 3,
          says: /protected file/,
        });
        const echo = { program: 'echo', args: ['x'] };
        const ran = await place.run('program-runner.say', echo, { allow });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /the configuration denies exec/,
        });
        rmSync(join(place.work, 'cuervo.toml'));
      },
    ],
  ],
  control: [
    'the same calls without that file, and what the user may set',
    async () => {
      rmSync(join(place.work, 'cuervo.toml'), { force: true });
      const allow = ['fs:work', 'fs-write:work'];
      put(place.work, 'vault/old.txt', 'x');
      const into = { call: 'text', path: 'work:vault/x.txt' };
      expectSuccess(await place.run('file-writer.make', into, { allow }));
      const example = { call: 'text', path: 'work:.env.example' };
      const withheld = await place.run('file-writer.make', example, { allow });
      expect(withheld.exitCode).toBe(3);
      const config = join(place.home, 'config.toml');
      writeFileSync(config, 'unprotected = [".env.example"]\n');
      expectSuccess(await place.run('file-writer.make', example, { allow }));
      rmSync(config);
    },
  ],
});

const granted = ['fs:work', 'fs-write:work'];
/** One of each kind; the first is already there. */
const runFiles = [
  ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.vscode/tasks.json', '.VSCODE/Settings.json'],
  ...['.gitconfig', '.husky/pre-commit', '.mcp.json', '.claude/settings.json', '.tmux.conf'],
  ...['.devcontainer/devcontainer.json', '.config/autostart/a.desktop', '.vimrc', 'Jenkinsfile'],
  ...['.cargo/config.toml', 'sub/sitecustomize.py', '.gitattributes', '.gitmodules', '.gdbinit'],
];
const answersToChange = '/n/?] ';

escapeCase('file that is read-only', {
  needs: python,
  denied: [
    [
      'no grant writes or removes one where nobody is asked, by root either',
      async () => {
        clear(place.work, 'read-only.txt');
        chmodSync(put(place.work, 'read-only.txt', 'kept\n'), 0o444);
        const before = place.state();
        const path = 'read-only.txt';
        const calls = ['text', 'bytes', 'remove'].map((call) => ({ call, path }));
        const input = { calls, times: 1 };
        const ran = await place.run('file-writer.try-all', input, { allow: granted });
        expectAllRefused(outcomesOf(place, ran), ['denied']);
        const told = await place.run('file-writer.make', calls[0], { allow: granted });
        expectFailure(place, told, {
          code: 'permission-denied',
          exit: 3,
          says: /read-only\.txt" is read-only \(mode 0444\)/,
        });
        expect(told.error?.hint).toContain('chmod u+w');
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a person is told its mode, and a no or a lasting yes writes nothing',
      async () => {
        clear(place.work, 'read-only.txt');
        chmodSync(put(place.work, 'read-only.txt', 'kept\n'), 0o444);
        const before = place.state();
        const input = { call: 'text', path: 'read-only.txt', text: 'new\n' };
        const typed: Typed[] = [
          [answersToChange, 's\r'],
          ['Type one of', 'n\r'],
        ];
        const ran = await at('file-writer.make', input, typed, {}, granted);
        expect(ran.code).toBe(3);
        expect(ran.screen).toContain('this file is read-only: its mode is 0444');
        expect(ran.screen).toContain('[y/e/n/?]');
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a yes writes exactly this one, and it stays read-only',
      async () => {
        const file = put(place.work, 'agreed.txt', 'kept\n');
        chmodSync(file, 0o444);
        const input = { call: 'text', path: 'agreed.txt', text: 'new\n' };
        const ran = await at('file-writer.make', input, [[answersToChange, 'y\r']], {}, granted);
        expect(ran.code).toBe(0);
        expect(readFileSync(file, 'utf8')).toBe('new\n');
        expect(statSync(file).mode & 0o777).toBe(0o444);
      },
    ],
  ],
  control: [
    'one that its owner may write needs no answer',
    async () => {
      const file = put(place.work, 'writable.txt', 'kept\n');
      chmodSync(file, 0o600);
      const input = { call: 'text', path: 'writable.txt', text: 'new\n' };
      expectSuccess(await place.run('file-writer.make', input, { allow: granted }));
      expect(readFileSync(file, 'utf8')).toBe('new\n');
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  ],
});

escapeCase('file that other programs run', {
  needs: python,
  denied: [
    [
      'no grant writes, moves or removes one where nobody is asked',
      async () => {
        put(place.work, runFiles[0] as string, 'on: push\n');
        put(place.work, 'plain.yml', 'on: push\n');
        const before = place.state();
        const calls = runFiles.flatMap((path) => [
          { call: 'text', path },
          { call: 'bytes', path },
          { call: 'remove', path },
          { call: 'rename', path, to: 'free.yml' },
          { call: 'rename', path: 'plain.yml', to: path },
        ]);
        const input = { calls, times: 1 };
        const ran = await place.run('file-writer.try-all', input, { allow: granted });
        expectAllRefused(outcomesOf(place, ran), ['denied']);
        expect(place.state()).toBe(before);
        const one = { call: 'text', path: '.vscode/tasks.json' };
        const told = await place.run('file-writer.make', one, { allow: granted });
        expectFailure(place, told, {
          code: 'permission-denied',
          exit: 3,
          says: /an editor runs this file without being asked to/,
        });
      },
    ],
    [
      'a person is told who runs it, and a no or a lasting yes writes nothing',
      async () => {
        const before = place.state();
        const input = { call: 'text', path: '.github/workflows/own.yml', text: 'on: push\n' };
        const typed: Typed[] = [
          [answersToChange, 's\r'],
          ['Type one of', 'p\r'],
          ['Type one of', 'n\r'],
        ];
        const ran = await at('file-writer.make', input, typed, {}, granted);
        expect(ran.code).toBe(3);
        expect(ran.screen).toContain('a CI service runs this file without being asked to');
        expect(ran.screen).toContain('[y/e/n/?]');
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a yes writes exactly this one, and is asked for again by the next',
      async () => {
        const path = '.github/workflows/own.yml';
        const typed: Typed[] = [
          [answersToChange, 'y\r'],
          [answersToChange, 'n\r'],
        ];
        const calls = ['on: push\n', 'on: release\n'].map((text) => ({ call: 'text', path, text }));
        await at('file-writer.try-all', { calls, times: 1 }, typed, {}, granted);
        expect(readFileSync(join(place.work, path), 'utf8')).toBe('on: push\n');
      },
    ],
  ],
  control: [
    'a file of another name needs none',
    async () => {
      put(place.work, '.github/CODEOWNERS', '');
      const other = { call: 'text', path: '.github/CODEOWNERS', text: '* @ann\n' };
      expectSuccess(await place.run('file-writer.make', other, { allow: granted }));
    },
  ],
});

/** What the configuration of a repository in the workspace names, one of each kind. */
const namedFiles = [
  ...['tools/hooks/pre-commit', 'tools/hooks/lib/load.sh', 'TOOLS/Hooks/pre-push', 'shared.cfg'],
  ...['more/second.cfg', 'tools/watch.sh', 'tools/clean.sh', 'tools/convert.py', 'tools/short.sh'],
].map((path) => `named/${path}`);

escapeCase('file that the configuration of a repository names', {
  needs: python,
  denied: [
    'no grant writes, moves or removes one where nobody is asked',
    async () => {
      nameFiles();
      const before = place.state();
      const calls = namedFiles.flatMap((path) => [
        { call: 'text', path },
        { call: 'rename', path: 'named/plain.sh', to: path },
      ]);
      const there = ['named/tools/hooks/pre-commit', 'named/shared.cfg'].flatMap((path) => [
        { call: 'remove', path },
        { call: 'rename', path, to: 'named/free.sh' },
      ]);
      const input = { calls: [...calls, ...there], times: 1 };
      const ran = await place.run('file-writer.try-all', input, { allow: granted });
      expectAllRefused(outcomesOf(place, ran), ['denied']);
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'a file beside them needs none, nor one that a person took out',
    async () => {
      nameFiles();
      for (const path of ['named/plain.sh', 'named/tools/other.sh', 'tools/hooks/pre-commit']) {
        mkdirSync(dirname(join(place.work, path)), { recursive: true });
        const other = { call: 'text', path, text: 'true\n' };
        expectSuccess(await place.run('file-writer.make', other, { allow: granted }));
      }
      const config = join(place.home, 'config.toml');
      writeFileSync(config, 'unprotected = ["named/tools/hooks/**"]\n');
      const lifted = { call: 'text', path: 'named/tools/hooks/pre-commit', text: 'true\n' };
      expectSuccess(await place.run('file-writer.make', lifted, { allow: granted }));
      rmSync(config);
    },
  ],
});

function nameFiles(): void {
  const work = join(place.work, 'named');
  const git = (...args: string[]) => execFileSync('git', ['-C', work, ...args]);
  mkdirSync(join(work, 'tools/hooks/lib'), { recursive: true });
  git('init', '--quiet');
  git('config', 'core.hooksPath', 'tools/hooks');
  git('config', 'include.path', '../shared.cfg');
  git('config', 'filter.own.clean', 'sh tools/clean.sh %f');
  git('config', 'alias.short', '!"tools/short.sh"');
  put(work, 'tools/hooks/pre-commit', 'true\n');
  put(
    work,
    'shared.cfg',
    '[core] fsmonitor = tools/watch.sh\n[include]\n\tpath = more/second.cfg\n',
  );
  put(work, 'more/second.cfg', '[diff "own"]\n\ttextconv = python3 tools/convert.py\n');
  put(work, 'plain.sh', 'true\n');
}
