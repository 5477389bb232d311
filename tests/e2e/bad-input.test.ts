import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace } from '../support/place.ts';
import { lineOf, linesOf, root, twoLines } from '../support/run-cuervo.ts';
import { runMany } from '../support/run-many.ts';

const question = 'where is the retry limit set?';

it('says that the current folder is gone, and what to do', () => {
  using place = openPlace();
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const words = ['-c', script, process.execPath, join(root, 'dist/cuervo.cjs'), 'ask', question];
  const env = { PATH: '/usr/bin:/bin', CUERVO_HOME: place.home };
  const ran = spawnSync('/bin/sh', words, { cwd: place.dir, env, encoding: 'utf8' });
  expect(ran).toMatchObject({
    status: 4,
    stderr:
      'error: the current folder is no longer there\nhint: Go to another one, as with: cd ~\n',
  });
});

describe('files that are not text', () => {
  it('answers past binary, huge, non-UTF-8 and unreadable files', async () => {
    using place = openPlace({
      ...fixtureRepository,
      'assets/noise.bin': Buffer.from(
        Array.from({ length: 4096 }, (_, index) => (index * 7) % 256),
      ),
      'assets/latin.txt': Buffer.from('retry limit caf\xe9\xff\n', 'latin1'),
      'assets/huge.log': Buffer.alloc(64 * 1024 * 1024, 'the retry limit is set here\n'),
      'assets/secret.txt': 'the retry limit is set here\n',
    });
    chmodSync(join(place.work, 'assets/secret.txt'), 0);
    const ran = await place.cuervo(['ask', question, '--json']);
    expect(ran.code).toBe(0);
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe('src/retry/retry-policy.ts');
    expect(new Set(linesOf(ran, 'step-finished').map(({ status }) => status))).toEqual(
      new Set(['ok']),
    );
  });

  it.each([
    ['a binary file', 'noise.bin', Buffer.from([0, 1, 2, 3, 0, 255]), /noise\.bin/],
    [
      'a file that is not UTF-8',
      'latin.txt',
      Buffer.from([0x63, 0x61, 0xe9, 0xff, 0x0a]),
      /latin\.txt/,
    ],
    ['a folder', 'folder/x.txt', 'x', /folder/],
  ])(
    'says of %s that it cannot be read as text, or reads what can be',
    async (_, path, bytes, words) => {
      using place = openPlace({ [path]: bytes });
      const name = path.split('/')[0];
      const ran = await place.cuervo(['run', 'file.read', JSON.stringify({ path: name })]);
      if (ran.code === 0) expect(ran.stdout).toMatch(words);
      else expect(twoLines(ran).error).toMatch(words);
      expect(ran.code).not.toBe(6);
    },
  );

  it('reads and looks into files of other encodings in which it finds lines', async () => {
    const shop = '\ufeffclass Shop {\r\n  int Total(int a) {\r\n    return a;\r\n  }\r\n}\r\n';
    using place = openPlace({
      'Shop.cs': Buffer.from(shop, 'utf16le'),
      'Shop.java': Buffer.from(shop, 'utf16le').swap16(),
      'shop.py': Buffer.from('# caf\xe9\ndef Total(a):\n    return a\n', 'latin1'),
    });
    const contentOf = async (tool: string, input: object) => {
      const ran = await place.cuervo(['run', tool, JSON.stringify(input)]);
      expect(ran.stderr).not.toContain('error');
      return JSON.parse(ran.stdout);
    };
    const { matches } = await contentOf('search.grep', { pattern: 'Total' });
    expect(matches).toHaveLength(3);
    for (const { path, line, text } of matches) {
      const read = await contentOf('file.read', { path, start: line, end: line });
      expect(read).toMatchObject({ lines: text, encoding: expect.any(String) });
    }
    const { definitions } = await contentOf('search.definition', { name: 'Total' });
    expect(definitions).toHaveLength(3);
    const inShop = definitions.find(({ path }: { path: string }) => path === 'Shop.cs');
    expect(inShop.text).toBe('  int Total(int a) {\n    return a;\n  }');
    const { references } = await contentOf('search.references', {
      ...{ name: 'Total', definitions: true },
    });
    expect(references).toHaveLength(3);
    const { functions } = await contentOf('search.complexity', {});
    expect(functions).toHaveLength(3);
  });

  it('reads an empty file and answers from a workspace of one', async () => {
    using place = openPlace({ 'empty.txt': '' });
    const ran = await place.cuervo(['run', 'file.read', '{"path":"empty.txt"}']);
    expect(ran.code).toBe(0);
    expect((await place.cuervo(['ask', question])).code).toBe(4);
  });
});

describe('questions', () => {
  it('says in one sentence that an empty folder answers nothing', async () => {
    using place = openPlace();
    const ran = await place.cuervo(['ask', question]);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toBe('');
    expect(twoLines(ran).error).toBe(
      `nothing in ${place.work} answers this; it was looked for by "retry", "limit", "set"`,
    );
  });

  it('says of a question about what is left to do which marks it looked for', async () => {
    using place = openPlace({ 'a.ts': 'export {};\n' });
    const ran = await place.cuervo(['ask', 'what is left to do?']);
    expect(ran.code).toBe(4);
    expect(twoLines(ran).error).toBe(
      `no TODO, FIXME, HACK or XXX and no open task was found in ${place.work}`,
    );
  });

  it.each(['', '   ', '\n\t'])('refuses an empty one: %j', async (words) => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['ask', words, '--json']);
    expect(ran.code).toBe(2);
    expect(lineOf(ran, 'error')).toMatchObject({
      code: 'invalid-argument',
      message: 'the question is empty',
    });
  });

  it('refuses one of 100 KB and says the limit', async () => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['ask', '-'], { stdin: 'where is it? '.repeat(8000) });
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toMatch(/^the question has 10\d{4} characters, limit \d+$/);
    expect(twoLines(ran).error.length).toBeLessThan(200);
  });

  it('answers one just below the limit', async () => {
    using place = openPlace(fixtureRepository);
    const long = `${question} ${'and further words that matter little '.repeat(800)}`;
    const ran = await place.cuervo(['ask', '-', '--json'], { stdin: long });
    expect(ran.code).toBe(0);
  });

  it('answers one in another script from text in that script', async () => {
    using place = openPlace({
      ...fixtureRepository,
      'docs/handbuch.md': 'Порт сервера задаётся в файле ferry.toml, по умолчанию восемь тысяч.\n',
      'docs/cjk.md': '重试次数上限是七次。\n',
    });
    const russian = await place.cuervo(['ask', 'где задаётся порт сервера?', '--json']);
    expect(russian.code).toBe(0);
    expect(lineOf(russian, 'answer').evidence[0]?.path).toBe('docs/handbuch.md');
    const chinese = await place.cuervo(['ask', '重试次数上限', '--json']);
    expect(lineOf(chinese, 'answer').evidence[0]?.path).toBe('docs/cjk.md');
  });

  it('takes words of a pattern or a command line as words', async () => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['ask', 'where is ((retry* [limit $(id) `id` \\ ?', '--json']);
    expect(ran.code).toBe(0);
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe('src/retry/retry-policy.ts');
  });
});

describe('patterns', () => {
  it('says that a pattern is not a regular expression', async () => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['run', 'search.grep', '{"pattern":"(unclosed"}']);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toContain('(unclosed');
  });

  it.each([
    ...[
      '(a+)+$',
      '^(a+)+$',
      '(a|aa)+$',
      '(a*)*b',
      '(.*)*b',
      '([^x]+)+b',
      '(\\w+\\s?)+$',
      '(a+)+?$',
    ],
    ...['(\\p{L}+)+$', '(é+)+$', '([a-zé💡]+)+$', '(💡|💡💡)+$', '([^!]+)+$', '(.+.+)+b'],
  ])('takes %s in linear time, in letters of both cases, too', async (pattern) => {
    using place = openPlace({
      'a.txt': ['a', 'é', '💡'].map((each) => `${each.repeat(60)}!\n`).join(''),
    });
    const inputs = [false, true].map((caseInsensitive) => ({ pattern, caseInsensitive }));
    const ended = await runMany(place, 'search.grep', inputs);
    const none = { exit: 0, content: { matches: [] } };
    expect(ended).toMatchObject([none, none]);
    // The control: it finds what it is about.
    place.write({ 'a.txt': 'aaab\naaa\nééé\n💡💡\n' });
    const [found] = await runMany(place, 'search.grep', [{ pattern }]);
    expect(found?.content).not.toMatchObject({ matches: [] });
  });

  it.each(['(?=a)(a+)+$', '(a+)+\\1$', '(a+)+(?!.)', '(?i:a+)+$', '(a{1,50}){1,50}$'])(
    'refuses %s, which only trying can match, with the reason and what to do',
    async (pattern) => {
      using place = openPlace({ 'a.txt': `${'a'.repeat(60)}!\n` });
      const ran = await place.cuervo(['run', 'search.grep', JSON.stringify({ pattern })]);
      expect(ran.code).toBe(2);
      expect(twoLines(ran).error).toMatch(
        /found no end in "work:a.txt" within 2000 ms.*look-around/,
      );
      expect(twoLines(ran).error).toContain('Write it without these');
      // The control: where trying has an end, it is matched.
      place.write({ 'a.txt': 'aaa\naa!\naaaaaa!\n' });
      const found = await place.cuervo(['run', 'search.grep', JSON.stringify({ pattern })]);
      expect(found.code).toBe(0);
    },
  );
});

describe('memory', () => {
  it('names the key of config.toml where the limit is below what a plugin was prepared for', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'config.toml'), '[limits]\nmax-memory-bytes = 100000000\n');
    const ran = await place.cuervo(['run', 'file.list', '{}']);
    expect(ran.code).toBe(5);
    expect(twoLines(ran)).toMatchObject({
      error: expect.stringContaining('limit 100000000 (limits.max-memory-bytes)'),
      hint: expect.stringContaining('Set limits.max-memory-bytes to 268435456 or more'),
    });
  });
});

describe('time', () => {
  it('names the key of config.toml for a plugin that is not ready in time', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'config.toml'), '[limits]\nstart-timeout-ms = 1\n');
    const ran = await place.cuervo(['run', 'file.list', '{}']);
    expect(ran.code).toBe(5);
    expect(twoLines(ran)).toMatchObject({
      error: expect.stringContaining('not ready after 1 ms (limits.start-timeout-ms)'),
      hint: 'Run it again, or raise limits.start-timeout-ms in config.toml.',
    });
  });

  it.each(['0', '0.0001', '86401'])('takes no --timeout %s, and names the least', async (text) => {
    using place = openPlace({ 'a.txt': 'a\n' });
    const ran = await place.cuervo(['run', 'file.list', '{}', '--timeout', text]);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toBe(
      `--timeout ${text} is not a number of seconds from 0.001 to 86400`,
    );
  });
});

describe('CUERVO_HOME', () => {
  it.each([
    ['below a file', (dir: string) => join(dir, 'file', 'home')],
    ['a file', (dir: string) => join(dir, 'file')],
    ['where nobody may write', () => '/proc/cuervo'],
  ])('is %s: one clear sentence that names it, nothing half-written', async (_, homeOf) => {
    using place = openPlace(fixtureRepository);
    writeFileSync(join(place.dir, 'file'), 'a file');
    const home = homeOf(place.dir);
    for (const args of [
      ['ask', question],
      ['session', 'list'],
      ['memory', 'search', 'x'],
    ]) {
      const ran = await place.cuervo(args, { home });
      expect({ args, code: ran.code }).toEqual({ args, code: 7 });
      expect(ran.stdout).toBe('');
      expect(twoLines(ran).error).toContain(home);
      expect(twoLines(ran).hint).toContain('CUERVO_HOME');
    }
    expect(readFileSync(join(place.dir, 'file'), 'utf8')).toBe('a file');
    expect(readdirSync(place.dir).sort()).toEqual(['file', 'work']);
  });

  it('is not needed by what writes nothing', async () => {
    using place = openPlace(fixtureRepository);
    for (const args of [['tools'], ['plan', question], ['plugin', 'list'], ['--version']]) {
      const ran = await place.cuervo(args, { home: '/proc/cuervo' });
      expect({ args, code: ran.code, stderr: ran.stderr }).toEqual({ args, code: 0, stderr: '' });
    }
    expect(existsSync(place.home)).toBe(false);
  });

  it('may lie below the workspace, and is not searched there', async () => {
    using place = openPlace(fixtureRepository);
    const home = join(place.work, '.cuervo');
    await place.cuervo(['ask', 'remember that the heron code is 7351'], { home });
    const ran = await place.cuervo(['run', 'search.grep', '{"pattern":"heron"}'], { home });
    expect(JSON.parse(ran.stdout)).toMatchObject({ matches: [] });
    const read = await place.cuervo(['run', 'file.read', '{"path":".cuervo/cuervo.db"}'], { home });
    expect(read.code).toBe(3);
  });
});

describe.skipIf(!canMount())('CUERVO_HOME on a small disk (needs the right to mount)', () => {
  it('is full: questions are answered, and what was kept before is still there', async () => {
    using place = openPlace(fixtureRepository);
    mkdirSync(place.home);
    mount(place.home, 'size=1m');
    try {
      expect((await place.cuervo(['ask', question])).code).toBe(0);
      const path = join(place.home, 'filler');
      for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) fill(path, size);
      const asked = await place.cuervo(['ask', question]);
      expect(asked.code).toBe(0);
      expect(asked.stderr).toMatch(/^note: nothing of this run is kept.*the disk is full/m);
      const ran = await place.cuervo(['ask', 'remember that releases happen on Thursdays']);
      expect(ran).toMatchObject({ code: 5, stdout: '' });
      expect(ran.stderr).toMatch(/^error: .*cuervo\.db .*the disk is full/m);
      expect(ran.stderr).toMatch(/^hint: .*CUERVO_HOME/m);
      const install = ['plugin', 'install', join(root, 'dist/builtin/wasm/file.wasm'), '--yes'];
      const installed = await place.cuervo(install);
      expect(installed.code).toBe(5);
      const named = /home\/plugins\/\.staging-[^ ]+ failed: the disk is full \(ENOSPC\)$/;
      expect(twoLines(installed).error).toMatch(named);
      expect((await place.cuervo(['doctor'])).stdout).toMatch(
        /^fail {2}home: the disk .* is full/m,
      );
      expect(readdirSync(join(place.home, 'plugins'))).toEqual([]);
      expect((await place.cuervo(['plugin', 'remove', 'nosuch'])).code).toBe(5);
      rmSync(path);
      // No lock was left that would be waited for.
      expect((await place.cuervo(['plugin', 'remove', 'nosuch'])).code).toBe(4);
      expect((await place.cuervo(['session', 'list', '--json'])).rows.length).toBe(1);
      expect((await place.cuervo(['ask', question])).code).toBe(0);
    } finally {
      unmount(place.home);
    }
  });

  /** Commands that change nothing, and a line that each prints when a note is remembered. */
  const readers: readonly [readonly string[], RegExp][] = [
    [['runs'], /ask remember that/],
    [['undo', '--list'], /^no run changed/],
    [['session', 'list'], /remember that/],
    [['memory', 'search', 'releases'], /releases happen on Thursdays/],
    [['memory', 'list'], /releases happen on Thursdays/],
    [['memory', 'stats'], /^interact {2}1 row,/m],
    [['jobs', 'list'], /^flush_memory/m],
    [['index', '--status'], /has no index/],
    [['tools'], /^file\.read/m],
    [['plan', question], /^s1/m],
    [['plugin', 'list'], /^search/m],
    [['policy', 'test', 'git log'], /^allow/m],
    [['secret', 'list'], /^$/],
  ];

  it.each(['ro', 'rw'])('lets commands read that only read (%s)', async (mode) => {
    using place = openPlace(fixtureRepository);
    mkdirSync(place.home);
    mount(place.home, 'size=64m');
    try {
      await place.cuervo(['ask', 'remember that releases happen on Thursdays']);
      runQuietly('mount', ['-o', `remount,${mode}`, place.home]);
      for (const [args, line] of readers) {
        const ran = await place.cuervo([...args]);
        expect(ran.stdout).toMatch(line);
        expect({ args, stderr: ran.stderr }).not.toMatchObject({
          stderr: expect.stringContaining('cannot be written'),
        });
      }
      const kept = await place.cuervo(['ask', 'remember that tests run on Mondays']);
      expect(kept.code).toBe(mode === 'ro' ? 7 : 0);
    } finally {
      unmount(place.home);
    }
  });

  it.each([
    ['asks no model that costs, where the day has a limit', 'usd = 9\nday-usd = 5', 5],
    ['asks it, where it has none', 'usd = 9', 0],
  ])('is read-only: cuervo %s', async (_, budget, code) => {
    using place = openPlace(fixtureRepository);
    mkdirSync(place.home);
    mount(place.home, 'size=64m');
    await using server = await startOpenAiServer(() => ({ type: 'message', text: 'It is 7.' }), {
      models: [{ id: 'test', pricing: { prompt: '0.00001', completion: '0.00001' } }],
    });
    try {
      await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
      writeFileSync(join(place.home, 'config.toml'), `[budget]\n${budget}\n`);
      runQuietly('mount', ['-o', 'remount,ro', place.home]);
      const ran = await place.cuervo(['ask', '--model', 'srv/test', '--json', question]);
      expect(ran.code).toBe(code);
      expect(server.requests).toHaveLength(code === 0 ? 1 : 0);
      if (code === 0) return;
      expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'day-usd' });
      expect(ran.stdout).toMatch(/not asked: what it costs cannot be counted.*read-only/);
    } finally {
      unmount(place.home);
    }
  });

  it('is read-only: questions are answered, and what is to be kept exits with 7', async () => {
    using place = openPlace(fixtureRepository);
    mkdirSync(place.home);
    mount(place.home, 'ro');
    try {
      for (const args of [
        ['ask', question],
        ['run', 'file.find', '{"pattern":"a"}'],
      ]) {
        const ran = await place.cuervo(args);
        expect({ args, code: ran.code }).toEqual({ args, code: 0 });
        expect(ran.stderr).toMatch(/^note: nothing of this run is kept.*read-only$/m);
      }
      const ran = await place.cuervo(['memory', 'compact']);
      expect(ran).toMatchObject({ code: 7, stdout: '' });
      expect(twoLines(ran).error).toContain('read-only');
      expect(twoLines(ran).hint).toContain('CUERVO_HOME');
      expect((await place.cuervo(['plan', question])).code).toBe(0);
    } finally {
      unmount(place.home);
    }
  });
});

describe('files of CUERVO_HOME that are damaged', () => {
  const cases: [string, string, string | Uint8Array, readonly string[], number][] = [
    ['no TOML', 'config.toml', 'model = \n', ['ask', question], 2],
    ['a key that is not known', 'config.toml', 'modell = "x"\n', ['ask', question], 2],
    ['a value of a wrong type', 'config.toml', '[budget]\nrounds = "many"\n', ['ask', question], 2],
    [
      'no database',
      'cuervo.db',
      'this is not a database, only text\n'.repeat(200),
      ['ask', question],
      7,
    ],
    ['no JSON', 'plugins.lock', '{"lockVersion": 1, "plug', ['tools'], 6],
    ['no lock', 'plugins.lock', '{"lockVersion": 9}', ['plugin', 'list'], 6],
    ['no TOML', 'grants.toml', '[[grant', ['run', 'file.stat', '{"path":"README.md"}'], 2],
  ];

  it.each(cases)('%s: %s', async (_, name, content, args, code) => {
    using place = openPlace(fixtureRepository);
    mkdirSync(place.home);
    const path = join(place.home, name);
    writeFileSync(path, content);
    const ran = await place.cuervo(args);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
    const { error, hint } = twoLines(ran);
    expect(error).toContain(name);
    expect(hint).not.toBe('');
    expect(error).not.toMatch(/\bat .+:\d+:\d+|TypeError|SyntaxError/);
    // What a person has to mend is left as it was.
    expect(readFileSync(path)).toEqual(Buffer.from(content));
    const json = await place.cuervo([...args, '--json']);
    expect(json.code).toBe(code);
    expect(linesOf(json, 'error').length).toBe(1);
  });
});

describe('a pipe that nobody writes to', () => {
  it.each([
    ['as a model', ['ask', '--model', 'pipe.gguf', question], 'it is not a file'],
    ['as rows to import', ['memory', 'import', 'pipe.gguf'], 'pipe.gguf is not a regular file'],
    ['as config.toml', ['tools'], 'config.toml is not a regular file'],
  ])('is refused %s, and not waited for', async (_, args, words) => {
    using place = openPlace({ 'a.md': 'a\n' });
    mkdirSync(place.home, { mode: 0o700 });
    const path = args.includes('pipe.gguf') ? place.work : place.home;
    const name = args.includes('pipe.gguf') ? 'pipe.gguf' : 'config.toml';
    execFileSync('mkfifo', [join(path, name)]);
    const ran = await place.cuervo(args, { giveUpMs: 20_000 });
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toContain(words);
  });
});

describe('two at once', () => {
  it('lets ten ask on one home at the same time, and keeps all of them', async () => {
    using place = openPlace(fixtureRepository);
    const words = [
      'retry',
      'cache',
      'token',
      'queue',
      'server',
      'invoice',
      'config',
      'page',
      'job',
      'tax',
    ];
    const ran = await Promise.all(
      words.map((word) =>
        place.cuervo(['ask', `where is the ${word} handled?`, '--json'], { ownProcess: true }),
      ),
    );
    for (const one of ran) {
      // What takes long on a busy machine says so every five seconds.
      const told = one.stderr.replace(/^.* \(\d+ s\)\n/gm, '');
      expect({ code: one.code, told }).toEqual({ code: 0, told: '' });
    }
    const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
    const count = (table: string, where = '1') =>
      (db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get() as { n: number }).n;
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(count('runs', "status = 'ok'")).toBe(10);
    expect(count('sessions')).toBe(10);
    expect(count('messages')).toBe(10);
    expect(count('steps')).toBe(ran.flatMap((one) => linesOf(one, 'step-finished')).length);
    db.close();
    const found = await Promise.all(
      words.map((word) => place.cuervo(['memory', 'search', word, '--questions', '--json'])),
    );
    for (const [index, one] of found.entries()) {
      expect(one.rows[0]).toMatchObject({ text: `where is the ${words[index]} handled?` });
    }
  });
});

/** Mounts an empty memory disk over a folder. */
function mount(folder: string, option: string): void {
  runQuietly('mount', ['-t', 'tmpfs', '-o', `${option},mode=700`, 'tmpfs', folder]);
}

function unmount(folder: string): void {
  runQuietly('umount', [folder]);
}

function runQuietly(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'pipe' });
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-mount-'));
  try {
    mount(folder, 'size=64k');
    unmount(folder);
    return true;
  } catch {
    return false; // the tests that need it are skipped by name
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Appends blocks of this size until there is no room for another. */
function fill(path: string, size: number): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(size));
  } catch {
    // full
  }
}
