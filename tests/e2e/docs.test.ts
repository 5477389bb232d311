import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentsWithHelp } from '../../src/build/help-texts.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { splitWords } from '../../src/lib/text/words.ts';
import { checkLine } from '../support/check-line.ts';
import { runCuervo } from '../support/run-cuervo.ts';

const root = resolve(import.meta.dirname, '../..');
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...pagesBelow('docs'),
  ...pagesBelow('tests/bench/notes'),
];
function pagesBelow(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

type Shown = {
  command: string;
  /** from `# exits N` behind the command */
  exits: number;
  /** lines below it, each to be found in what it prints; `…` stands for anything */
  lines: string[];
};

/** Names of the headings, as GitHub makes them for links. */
function headingsOf(text: string): string[] {
  const written = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...written.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The commands of ```console blocks: lines that begin with `$ `. */
function shownCommands(text: string): Shown[] {
  const shown: Shown[] = [];
  for (const [, block = ''] of text.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
    for (const line of block.trimEnd().split('\n')) {
      if (!line.startsWith('$ ')) {
        shown.at(-1)?.lines.push(line);
        continue;
      }
      const [command = '', exits = '0'] = line.slice(2).split(/ # exits (\d+)$/);
      // npx takes a second to find the program that lies in the same folder.
      shown.push({
        command: command.replace(/\bnpx cuervo\b/g, 'cuervo'),
        exits: Number(exits),
        lines: [],
      });
    }
  }
  return shown;
}

type Ran = { exit: number; stdout: string; all: string };

const PATH = `${join(root, 'node_modules', '.bin')}:${dirname(process.execPath)}:${process.env.PATH}`;

/** The words of a command line that nothing but `cuervo` reads; undefined where a shell has to. */
function wordsOf(command: string): string[] | undefined {
  const unquoted = command.replace(/'[^']*'|"[^"$`\\]*"/g, '');
  const [program, ...words] = /[^\w\s./:@=,+-]/.test(unquoted) ? [] : splitWords(command);
  return program === 'cuervo' ? words : undefined;
}

async function run(command: string, home: string): Promise<Ran> {
  const words = wordsOf(command);
  if (words === undefined) return await runShell(command, home);
  const options = { cwd: root, home, env: { PATH }, unchecked: true };
  const { code, stdout, stderr } = await runCuervo(words, options);
  return { exit: code ?? -1, stdout, all: `${stdout}${stderr}` };
}

function runShell(command: string, home: string): Promise<Ran> {
  const env = { PATH, CUERVO_HOME: home };
  return new Promise((settle) => {
    execFile('/bin/sh', ['-c', command], { cwd: root, env }, (error, stdout, stderr) => {
      const exit = error === null ? 0 : Number(error.code ?? -1);
      settle({ exit, stdout, all: `${stdout}${stderr}` });
    });
  });
}

/** The parts between `…` of a line that is not in the text in their order. */
function missing(lines: readonly string[], text: string): string[] {
  return lines.filter((line) => {
    let from = 0;
    return !line.split('…').every((part) => {
      const at = text.indexOf(part.trim(), from);
      from = at + part.trim().length;
      return at >= 0;
    });
  });
}

describe('documents', () => {
  it.each(documents.filter((path) => shownCommands(textOf(path)).length > 0))(
    'the commands of %s do what it shows',
    async (path) => {
      const home = mkdtempSync(join(tmpdir(), 'cuervo-docs-'));
      try {
        for (const { command, exits, lines } of shownCommands(textOf(path))) {
          const ran = await run(command, join(home, 'home'));
          const what = `${command}\n${ran.all}`;
          expect(ran.exit, what).toBe(exits);
          expect(missing(lines, ran.all), what).toEqual([]);
          if (!command.includes('--json')) continue;
          const args = command.split(' ').slice(1);
          const printed = ran.stdout.trimEnd().split('\n');
          for (const line of printed) checkLine(JSON.parse(line), args);
        }
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );

  it('show commands on most pages', () => {
    const running = documents.filter((path) => shownCommands(textOf(path)).length > 0);
    expect(running.length).toBeGreaterThan(6);
  });

  it('begin with two lines that need nothing but a clean clone', async () => {
    const lines = [...textOf('README.md').matchAll(/^npm ci && (.*)$/gm)].map(([, rest]) => rest);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe('npm test');
    const home = mkdtempSync(join(tmpdir(), 'cuervo-docs-'));
    const ran = await runShell((lines[0] ?? '').replace('npx ', ''), home);
    rmSync(home, { recursive: true, force: true });
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('src/planner/check-plan.ts:');
  });

  it('show help as it is printed now', () => {
    for (const [path, fresh] of documentsWithHelp(root)) expect(textOf(path), path).toBe(fresh);
  });

  it('name the defaults that the code has', () => {
    const { budget, maxOutputBytes } = loadConfig({}, { CUERVO_HOME: '/nowhere' }, root);
    const keys = { ...defaultLimits, maxOutputBytes };
    const page = textOf('docs/configuration.md');
    const rows = [...page.matchAll(/^\| `(limits|budget)\.([a-z-]+)` \| (\d+) \|/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, table, key = '', value] of rows) {
      const name = key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const known = (table === 'limits' ? keys : budget) as Readonly<Record<string, number>>;
      expect(known[name], key).toBe(Number(value));
    }
  });

  it('name files of the sources that exist', () => {
    const named = documents.flatMap((path) =>
      [...textOf(path).matchAll(/`((?:src|sdk|tests|plugins|wit|examples)\/[\w./-]*)`/g)].map(
        ([, to = '']) => ({ path, to }),
      ),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ to }) => !existsSync(join(root, to)))).toEqual([]);
  });

  it('link to headings that exist', () => {
    const links = documents.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:)([^)#]*\.md)?#([^)]+)\)/g)].map(([, to, name]) => ({
        path,
        to: to === undefined ? path : join(dirname(path), to),
        name,
      })),
    );
    expect(links.length).toBeGreaterThan(15);
    expect(links.filter(({ to, name }) => !headingsOf(textOf(to)).includes(name ?? ''))).toEqual(
      [],
    );
  });

  it('link to files that exist', () => {
    const links = documents.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => ({
        path,
        to: join(dirname(path), to),
      })),
    );
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter(({ to }) => !existsSync(join(root, to)))).toEqual([]);
  });
});

describe('wordsOf()', () => {
  it('takes what no shell changes, and leaves the rest to one', () => {
    expect(wordsOf(`cuervo run a '{"b":"$c | d"}' e="f g" --h`)).toEqual([
      ...['run', 'a', '{"b":"$c | d"}', 'e=f g', '--h'],
    ]);
    for (const command of [
      'cuervo a | b',
      'cuervo "$a"',
      'cuervo *.ts',
      'rm -rf x',
      'cuervo a > b',
    ])
      expect(wordsOf(command), command).toBeUndefined();
  });
});

describe('missing()', () => {
  it('finds lines by their parts, in their order', () => {
    const text = 'Remembered for /some/folder: a fact\n';
    expect(missing(['Remembered for …: a fact', 'folder'], text)).toEqual([]);
    expect(missing(['a fact … Remembered', 'other'], text)).toEqual([
      'a fact … Remembered',
      'other',
    ]);
  });
});
