import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandPaths } from '../../src/build/help-texts.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf, program, twoLines } from '../support/run-cuervo.ts';
import { shell } from '../support/shell.ts';

let place: Place;
beforeAll(() => {
  place = openPlace(fixtureRepository);
});
afterAll(() => place[Symbol.dispose]());

const esc = '\u001b';

const isThere = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

describe('cuervo run', () => {
  it("prints the tool's result on standard output and its summary on standard error", async () => {
    const ran = await place.cuervo(['run', 'search.grep', '{"pattern":"TODO:"}']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      matches: [{ path: 'src/config/read-config.ts', line: 9 }],
    });
    expect(ran.stderr).toBe('1 match in 1 file\n');
  });

  it('ends with the result and the end of the run with --json', async () => {
    const input = '{"path":"src/retry/retry-policy.ts","start":2,"end":2}';
    const ran = await place.cuervo(['run', 'file.read', input, '--json']);
    expect(ran.lines.map(({ type }) => type)).toEqual([
      'run-started',
      'plan',
      'step-started',
      'step-finished',
      'result',
      'run-finished',
    ]);
    expect(lineOf(ran, 'result').content).toContain('export const maxRetries = 7;');
    expect(lineOf(ran, 'run-finished')).toMatchObject({ status: 'ok', exitCode: 0 });
  });

  it('reads the input from standard input for -', async () => {
    const ran = await place.cuervo(['run', 'file.stat', '-'], { stdin: '{"path":"README.md"}' });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('README.md');
  });

  it('takes one text for the only one that a tool requires', async () => {
    const ran = await place.cuervo(['run', 'file.read', 'README.md']);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('README.md') });
    const none = await place.cuervo(['run', 'git.log', '3']);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cuervo tools git.log'),
    });
  });

  it('ends quietly when who reads it has enough', async () => {
    const big = Array.from({ length: 20_000 }, (_, index) => `line ${index} of many`).join('\n');
    place.write({ 'many.txt': big });
    const command = `"${process.execPath}" "${program}" run search.grep '{"pattern":"of many","limit":10000}' --json | head -1`;
    const ran = await shell(command, place);
    expect(ran.stdout.split('\n').length).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ type: 'run-started' });
    expect(ran.stderr).toBe('');
  });

  it.each([
    ['a tool that there is not', ['no.tool', '{}'], 4, 'there is no tool "no.tool"'],
    ['a text for a tool that there is not', ['no.tool', 'words'], 4, 'there is no tool "no.tool"'],
    ['words for a tool that there is not', ['no.tool', 'two', 'words'], 4, 'there is no tool'],
    ['a misspelt tool', ['search.grap', '{}'], 4, 'search.grep'],
    ['input that is not JSON', ['search.grep', '{pattern}'], 2, 'the input is not JSON'],
    ['input that is not an object', ['search.grep', '[]'], 2, 'not a JSON object'],
    ['input without what is required', ['search.grep', '{}'], 2, 'pattern'],
    ['input of a wrong type', ['search.grep', '{"pattern":7}'], 2, 'pattern'],
    ['a file that is not there', ['file.read', '{"path":"none.txt"}'], 4, 'none.txt'],
    ['a path above the workspace', ['file.read', '{"path":"../../etc/hostname"}'], 2, '..'],
  ])('tells %s in two lines, with its exit code', async (_, args, code, words) => {
    const ran = await place.cuervo(['run', ...args]);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
    expect(twoLines(ran).error).toContain(words);
  });

  it('tells an error as one event with --json, and exits the same', async () => {
    const ran = await place.cuervo(['run', 'file.read', '{"path":"none.txt"}', '--json']);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toBe('');
    expect(lineOf(ran, 'error')).toMatchObject({ code: 'not-found' });
    expect(lineOf(ran, 'run-finished')).toMatchObject({ status: 'not-found', exitCode: 4 });
    expect(lineOf(ran, 'step-finished')).toMatchObject({ status: 'error' });
  });
});

describe('cuervo ask', () => {
  it('says which flag took the question for its value', async () => {
    const ran = await place.cuervo(['ask', '--yes', 'where is redis?', '--quiet']);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toBe(
      `missing required argument 'question': --yes takes a value and got "where is redis?"`,
    );
    expect(twoLines(await place.cuervo(['ask'])).error).toBe(
      `missing required argument 'question'`,
    );
  });
});

describe('cuervo tools', () => {
  it('lists every tool with its effect', async () => {
    const ran = await place.cuervo(['tools']);
    expect(ran.stdout).toMatch(/^file\.read +read +[0-9a-f]{8} {2}\S/m);
    expect(ran.stdout).toMatch(/^search\.passages +read +[0-9a-f]{8} {2}\S/m);
    // In a pipe, lines are whole.
    expect(ran.stdout).not.toMatch(/…$/m);
  });

  it('prints one object a line with --json', async () => {
    const ran = await place.cuervo(['tools', '--json']);
    const effectOf = new Map(ran.rows.map(({ name, effect }) => [name, effect]));
    expect(effectOf.get('search.grep')).toBe('read');
    expect(effectOf.get('file.edit')).toBe('write');
    for (const row of ran.rows) {
      expect(row).toMatchObject({ inputSchema: { type: 'object' } });
    }
  });

  it('shows what one takes, with examples that can be pasted', async () => {
    const ran = await place.cuervo(['tools', 'search.grep']);
    expect(ran.stdout).toContain('pattern (string, required)');
    const example = /cuervo run (search\.grep) '(.+)'/.exec(ran.stdout);
    const pasted = await place.cuervo(['run', example?.[1] ?? '', example?.[2] ?? '']);
    expect(pasted.code).toBe(0);
  });

  it('tells of a field that takes one of two types', async () => {
    const ran = await place.cuervo(['tools', 'file.edit-cell']);
    expect(ran.stdout).toContain('  cell (integer or string, required): number of the cell');
  });

  it('says that there is no such tool', async () => {
    const ran = await place.cuervo(['tools', 'nothing.here']);
    expect(ran.code).toBe(4);
    expect(twoLines(ran).error).toContain('nothing.here');
  });
});

describe('cuervo plan', () => {
  const question = 'where is the retry limit set?';

  it('prints the steps and the capabilities', async () => {
    const ran = await place.cuervo(['plan', question]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^s1 {2}search\.passages \(read\)$/m);
    expect(ran.stdout).toMatch(/^s2 {2}passages\.rank \(read\) {2}after s1$/m);
    expect(ran.stdout).toMatch(/^s3 {2}search\.names \(read\)$/m);
    expect(ran.stdout).toMatch(/^ {2}fs:work: allow$/m);
  });

  it('prints the one plan event with --json, the same that ask follows', async () => {
    const planned = await place.cuervo(['plan', question, '--json']);
    expect(planned.lines.length).toBe(1);
    const asked = await place.cuervo(['ask', question, '--json']);
    expect(lineOf(planned, 'plan').steps).toEqual(lineOf(asked, 'plan').steps);
    expect(lineOf(planned, 'plan').capabilities).toEqual(lineOf(asked, 'plan').capabilities);
  });

  it('prints a flowchart with --mermaid', async () => {
    const ran = await place.cuervo(['plan', question, '--mermaid']);
    expect(ran.stdout).toMatch(/^flowchart TD\n/);
    expect(ran.stdout).toContain('s1["s1 search.passages (read)"]');
    expect(ran.stdout).toContain('s2["s2 passages.rank (read)"]');
    expect(ran.stdout).toContain('s1 --> s2');
    expect(ran.stdout).not.toContain('--> s3');
  });

  it('runs nothing: no run is journaled, no plugin process starts, nothing is remembered', async () => {
    using fresh = openPlace(fixtureRepository);
    // With a place for its counter, the process that is started tells of every child it starts.
    const ran = await fresh.cuervo(['plan', question], { env: { NODE_DEBUG: 'child_process' } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain('/program.cjs');
    const database = join(fresh.home, 'cuervo.db');
    expect(existsSync(database)).toBe(false);
    // The control: run starts a process, and journals it.
    const run = await fresh.cuervo(['run', 'file.stat', '{"path":"README.md"}'], {
      env: { NODE_DEBUG: 'child_process' },
    });
    expect(run.stderr).toContain('/program.cjs');
    const db = new Database(database, { readonly: true });
    expect(db.prepare('SELECT count(*) AS runs FROM runs').get()).toEqual({ runs: 1 });
    db.close();
    await fresh.cuervo(['plan', question]);
    const again = new Database(database, { readonly: true });
    expect(again.prepare('SELECT count(*) AS runs FROM runs').get()).toEqual({ runs: 1 });
    again.close();
  });

  it('refuses an empty question', async () => {
    const ran = await place.cuervo(['plan', '  ']);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toBe('the question is empty');
  });
});

describe('cuervo session', () => {
  it('lists sessions, newest first, and shows their turns', async () => {
    using fresh = openPlace(fixtureRepository);
    await fresh.cuervo(['ask', 'where is the tax rate?']);
    await fresh.cuervo(['ask', 'how does the cache evict?']);
    const list = await fresh.cuervo(['session', 'list', '--json']);
    expect(list.rows).toMatchObject([
      { title: 'how does the cache evict?', project: fresh.work, messages: 1 },
      { title: 'where is the tax rate?', project: fresh.work, messages: 1 },
    ]);
    const shown = await fresh.cuervo(['session', 'show', String(list.rows[1]?.id), '--json']);
    expect(shown.rows).toMatchObject([{ role: 'user', text: 'where is the tax rate?' }]);
    const newest = await fresh.cuervo(['session', 'show']);
    expect(newest.stdout).toMatch(
      /^> how does the cache evict\?\n {2}its answer is not kept; found by search\.passages \(\d+ passages?.*\)\n$/,
    );
    const text = await fresh.cuervo(['session', 'list']);
    expect(text.stdout).toMatch(/^\S+ +just now +how does the cache evict\?$/m);
  });

  it('goes on with the newest session for ask -c', async () => {
    using fresh = openPlace(fixtureRepository);
    await fresh.cuervo(['ask', 'where is the tax rate?']);
    await fresh.cuervo(['ask', '-c', 'how does the cache evict?']);
    const list = await fresh.cuervo(['session', 'list', '--json']);
    expect(list.rows).toMatchObject([{ title: 'where is the tax rate?', messages: 2 }]);
    const shown = await fresh.cuervo(['session', 'show']);
    const turns = shown.stdout.split('\n').filter((line) => line.startsWith('> '));
    expect(turns).toEqual(['> where is the tax rate?', '> how does the cache evict?']);
  });

  it('says that there is none, or none of that name', async () => {
    using fresh = openPlace();
    const none = await fresh.cuervo(['session', 'show']);
    expect(none.code).toBe(4);
    expect(twoLines(none).error).toContain('no session yet');
    const unknown = await fresh.cuervo(['session', 'show', 'nope']);
    expect(unknown.code).toBe(4);
    expect(twoLines(unknown).error).toContain('"nope"');
  });
});

describe('cuervo completion', () => {
  it.each(['bash', 'zsh', 'fish'])('knows the commands in the script for %s', async (name) => {
    const ran = await place.cuervo(['completion', name]);
    expect(ran.code).toBe(0);
    for (const word of ['ask', 'plan', 'plugin', 'inspect', 'workspace']) {
      expect(ran.stdout).toContain(word);
    }
  });

  it('completes a command and a flag in a real bash', async () => {
    const { stdout: script } = await place.cuervo(['completion', 'bash']);
    const complete = async (words: string): Promise<string[]> => {
      const typed = / -\S*$/.test(words) ? words : `${words} ""`;
      const probe = `${script}\nCOMP_WORDS=(${typed})\nCOMP_CWORD=$((\${#COMP_WORDS[@]}-1))\n_cuervo\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await shell(probe, place)).stdout.trim().split('\n');
    };
    expect(await complete('cuervo')).toEqual(expect.arrayContaining(['ask', 'run', '--version']));
    expect(await complete('cuervo plugin')).toEqual(
      expect.arrayContaining(['build', 'inspect', 'install', 'list', 'remove']),
    );
    expect(await complete('cuervo session list')).toContain('--all');
    expect(await complete('cuervo ask -w /tmp --js')).toEqual(['--json']);
    expect(await complete('cuervo run file.read --al')).toEqual(['--allow']);
    expect(await complete('cuervo plugin inspect x.wasm --js')).toEqual(['--json']);
    expect(await complete('cuervo memory search run --ex')).toEqual(['--explain']);
  });

  it('asks the program on PATH for names, and runs nothing of the folder', async () => {
    const { stdout: script } = await place.cuervo(['completion', 'bash']);
    const says = '#!/bin/sh\ntouch ran\necho named-by-path\n';
    place.write({ cuervo: says, 'bin/cuervo': says.replace('ran', 'asked') });
    for (const file of ['cuervo', 'bin/cuervo']) chmodSync(join(place.work, file), 0o755);
    const typed = 'COMP_WORDS=(./cuervo run ""); COMP_CWORD=2; PATH=$PWD/bin:$PATH; _cuervo';
    const probe = `${script}\n${typed}\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    expect((await shell(probe, place)).stdout).toContain('named-by-path');
    expect(['asked', 'ran'].map((file) => existsSync(join(place.work, file)))).toEqual([
      true,
      false,
    ]);
  });

  it.skipIf(!isThere('zsh'))('completes in a real zsh (skipped where there is none)', async () => {
    const { stdout: script } = await place.cuervo(['completion', 'zsh']);
    // Completion itself needs a terminal: what it offers is printed in place of that.
    const offers = 'compdef() {}; _files() {}; compadd() { print -l -- $found }';
    const complete = async (words: string): Promise<string[]> => {
      const typed = `words=(${words} ""); CURRENT=$#words; _cuervo`;
      place.write({ 'probe.zsh': `${offers}\n${script}\n${typed}\n` });
      const { stdout, stderr } = await shell('zsh -f probe.zsh', place);
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
    expect(await complete('cuervo')).toEqual(expect.arrayContaining(['ask', 'run', '--version']));
    expect(await complete('cuervo plugin')).toEqual(expect.arrayContaining(['build', 'grants']));
    expect(await complete('cuervo ask -w /tmp')).toContain('--json');
    expect(await complete('cuervo plugin list')).toEqual(['--json', '--help']);
    place.write({ _cuervo: script });
    const loaded = `${offers}; fpath=(. $fpath); words=(cuervo ""); CURRENT=2; autoload -U _cuervo; _cuervo`;
    place.write({ 'probe.zsh': loaded });
    expect((await shell('zsh -f probe.zsh', place)).stdout).toContain('\nrun\n');
  });

  it.skipIf(!isThere('fish'))(
    'completes in a real fish (skipped where there is none)',
    async () => {
      place.write({ 'cuervo.fish': (await place.cuervo(['completion', 'fish'])).stdout });
      const complete = async (line: string): Promise<string[]> => {
        const probe = `source cuervo.fish; complete -C "${line}"`;
        const { stdout, stderr } = await shell(`fish --no-config -c '${probe}'`, place, {
          HOME: place.dir,
        });
        expect(stderr).toBe('');
        return stdout.trim().split('\n');
      };
      expect(await complete('cuervo ')).toEqual(expect.arrayContaining(['ask', 'run']));
      expect(await complete('cuervo plugin ins')).toEqual(['inspect', 'install']);
      expect(await complete('cuervo plugin list --')).toEqual(['--help', '--json']);
      expect(await complete('cuervo jobs run --')).toEqual(['--help', '--json']);
      expect(await complete('cuervo ask -w /tmp --js')).toEqual(['--json']);
      expect(await complete('cuervo memory search run --ex')).toEqual(['--explain']);
    },
  );

  it('refuses a shell it does not know', async () => {
    const ran = await place.cuervo(['completion', 'tcsh']);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toContain('tcsh');
  });
});

describe('help and usage', () => {
  const commands = commandPaths().map((path) => path.split(' ').slice(1));

  it.each(commands)('shows examples that begin with its name: cuervo %s %s %s', async (...path) => {
    const ran = await place.cuervo([...path, '--help']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Usage: cuervo');
    const examples = ran.stdout.slice(ran.stdout.indexOf('Examples:'));
    expect(examples).toContain(['cuervo', ...path].join(' '));
    expect(ran.stdout).not.toContain(esc);
    expect(ran.stderr).toBe('');
  });

  it('says in one screen what to type where nothing is typed behind its name', async () => {
    const ran = await place.cuervo([]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.split('\n').length).toBeLessThan(24);
    const named = [...ran.stdout.matchAll(/^ {2}cuervo ([a-z]+) /gm)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(4);
    const known = new Set(commands.map(([first]) => first));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('prints its version', async () => {
    const ran = await place.cuervo(['--version']);
    expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['a command that there is not', ['aks', 'what?']],
    ['a flag that there is not', ['ask', '--nope', 'what?']],
    ['a flag without its value', ['ask', 'what?', '--model']],
    ['a plugin command that there is not', ['plugin', 'explode']],
    ['an argument that is missing', ['run']],
    ['one argument too many', ['completion', 'bash', 'zsh']],
    ['a timeout that is none', ['ask', 'what?', '--timeout', 'soon']],
    ['a role that is none', ['ask', 'what?', '--model-role', 'king']],
    ['a grant that is none', ['ask', 'what?', '--allow', 'everything']],
    ['a limit that is none', ['memory', 'search', 'x', '--limit', '0']],
    ['a duration that is none', ['plugin', 'grant', 'file', 'clock', '--for', 'soon']],
    ['an engine that is none', ['plugin', 'build', '.', '--engine', 'v8']],
  ])('refuses %s with two lines and exit code 2', async (_, args) => {
    const ran = await place.cuervo(args);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' });
    expect(twoLines(ran).hint).not.toBe('');
  });

  it.each([
    [
      ['help', 'plugin', 'install'],
      ['plugin', 'install', '--help'],
    ],
    [
      ['plugin', 'help', 'install'],
      ['plugin', 'install', '--help'],
    ],
    [
      ['help', 'plugin'],
      ['plugin', '--help'],
    ],
    [['help'], ['--help']],
  ])('shows the page of the command that is asked for: %j', async (asked, same) => {
    const { stdout } = await place.cuervo(same);
    expect(await place.cuervo(asked)).toMatchObject({ code: 0, stdout });
  });

  it.each([
    [['help', 'nosuch'], 'cuervo has no command "nosuch"', 'cuervo --help'],
    [['help', 'plugin', 'nosuch'], 'cuervo plugin has no command "nosuch"', 'cuervo plugin --help'],
    [['runs', 'diff', '--nope'], "unknown option '--nope'", 'cuervo runs diff --help'],
    [['plugin', 'remove'], "missing required argument 'name'", 'cuervo plugin remove --help'],
  ])('names the usage of the command that was meant: %j', async (args, error, usage) => {
    const ran = await place.cuervo(args);
    expect(ran.code).toBe(2);
    expect(twoLines(ran)).toEqual({ error, hint: `See the usage with: ${usage}` });
  });

  it('suggests the command that was meant', async () => {
    expect(twoLines(await place.cuervo(['aks', 'what?'])).error).toContain('ask');
  });

  it('tells wrong usage as one object with --json', async () => {
    const ran = await place.cuervo(['ask', 'what?', '--nope', '--json']);
    expect(ran.code).toBe(2);
    expect(linesOf(ran, 'error')).toMatchObject([{ code: 'invalid-argument' }]);
    expect(ran.lines.length).toBe(1);
    expect(ran.stderr).toBe('');
  });

  it('says that a workspace is not there', async () => {
    const ran = await place.cuervo(['ask', 'what?', '--workspace', 'nowhere']);
    expect(ran.code).toBe(4);
    expect(twoLines(ran).error).toContain('nowhere');
  });
});

describe('output without a terminal', () => {
  it.each([
    ['ask', ['ask', 'where is the retry limit set?']],
    ['run', ['run', 'search.grep', '{"pattern":"retry"}']],
    ['tools', ['tools']],
    ['plan', ['plan', 'where is it?']],
    ['an error', ['run', 'no.tool']],
  ])('has no escape sequence: %s', async (_, args) => {
    const ran = await place.cuervo(args, { env: { FORCE_COLOR: '1', TERM: 'xterm-256color' } });
    expect(ran.stdout + ran.stderr).not.toContain(esc);
  });

  it('has none on a terminal with NO_COLOR either, and has some without', async () => {
    const ask = `"${process.execPath}" "${program}" ask 'where is the retry limit set?' --quiet`;
    const plain = await onTerminal(ask, place, { NO_COLOR: '1', TERM: 'xterm-256color' });
    expect(plain).toContain('retry-policy.ts');
    expect(plain).not.toContain(esc);
    const coloured = await onTerminal(ask, place, { TERM: 'xterm-256color' });
    expect(coloured).toContain(`${esc}[1m`);
  });

  it('passes on nothing of a file that a terminal would obey', async () => {
    using fresh = openPlace({
      'src/evil.ts': `// the flux capacitor ${esc}]0;owned\u0007${esc}[31m is here\nexport {};\n`,
    });
    const ran = await fresh.cuervo(['ask', 'where is the flux capacitor?']);
    expect(ran.stdout).toContain('flux capacitor');
    expect(ran.stdout).not.toContain(esc);
    expect(ran.stdout).not.toContain('\u0007');
  });
});

describe('a list of what is not there', () => {
  it.each([
    [
      'session list',
      'there are no sessions of this workspace; list all with: cuervo session list --all',
    ],
    ['session list --all', 'there are no sessions'],
    ['runs list', 'nothing ran in this workspace'],
    ['jobs log', 'no job has run yet'],
    ['jobs log prune', 'prune has not run yet'],
    ['memory list', 'memory has no rows in this workspace; look in all of them with: --all'],
    ['memory list --all', 'memory has no rows'],
    ['memory list --kind x --all', 'no row of memory matches'],
    ['memory export', 'memory has no rows in this workspace; look in all of them with: --all'],
  ])('of cuervo %s is told on standard error', async (command, told) => {
    using fresh = openPlace();
    const ran = await fresh.cuervo(command.split(' '));
    expect({ code: ran.code, stdout: ran.stdout, stderr: ran.stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: `${told}\n`,
    });
  });
});

describe('what a command leaves behind', () => {
  it('is nothing in the workspace and only the home beside it', async () => {
    using fresh = openPlace({ 'a.txt': 'the answer is 42\n' });
    await fresh.cuervo(['ask', 'what is the answer?']);
    expect(readdirSync(fresh.work)).toEqual(['a.txt']);
    expect(readdirSync(fresh.dir).sort()).toEqual(['home', 'work']);
  });
});

/** Runs it under `script`, which gives it a terminal. */
async function onTerminal(
  command: string,
  where: Place,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const quoted = command.replaceAll("'", "'\\''");
  return (await shell(`script -qec '${quoted}' /dev/null`, where, env)).stdout;
}
