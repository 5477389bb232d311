import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Language, languages } from '../../sdk/languages/language.ts';
import { whyNotBuilt } from '../../sdk/languages/toolchains.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { expectGranted, expectNamed } from '../support/new-plugin.ts';
import { openPlace } from '../support/place.ts';
import { lacksRegistries } from '../support/real-registries.ts';
import { twoLines } from '../support/run-cuervo.ts';
import { toolchainEnv } from '../support/toolchain-env.ts';

const isScript = (language: Language): boolean => language === 'ts' || language === 'js';

describe('a new plugin', () => {
  // `author-whole-way.test.ts` goes on from the page of the others, where it has its registries.
  const own = languages.filter((each) => isScript(each) || lacksRegistries !== '');
  for (const language of own) {
    const missing = whyNotBuilt(language, process.env);
    it.skipIf(missing !== undefined)(
      `builds, tests and runs from its page alone: ${language}${missing === undefined ? '' : ` (${missing})`}`,
      async () => {
        using place = openPlace({ 'notes.txt': 'three words here' });
        const made = await place.cuervo(['plugin', 'new', 'my-words', '--lang', language], {
          env: toolchainEnv,
        });
        expect({ code: made.code, stderr: made.stderr }).toMatchObject({ code: 0 });
        const folder = join(place.work, 'my-words');
        expectNamed(folder);
        const tested = await place.cuervo(['plugin', 'test', 'my-words'], { env: toolchainEnv });
        expect(tested.stdout).toContain('3 passed');
        expect(tested.code).toBe(0);
        await expectGranted(place);
      },
    );
  }

  it('is refused by a name that is none, a folder in use, and an unknown language', async () => {
    using place = openPlace({ 'used/a.txt': 'x' });
    const refused = async (...args: string[]) =>
      twoLines(await place.cuervo(['plugin', 'new', ...args]));
    expect((await refused('My_Tool')).error).toContain('is not a name for a plugin');
    expect((await refused('search')).error).toContain('the name of a built-in plugin');
    expect((await refused('used')).error).toContain('not empty');
    expect((await refused('x', '--lang', 'cobol')).hint).toContain('rust');
    expect(readdirSync(place.work)).toEqual(['used']);
  });
});

describe('the folder of a plugin', () => {
  it.each(['ts', 'js'])(
    'of %s keeps its link to the SDK when npm installs there',
    async (language) => {
      using place = openPlace();
      await place.cuervo(['plugin', 'new', 'w', '--lang', language]);
      const folder = join(place.work, 'w');
      const sdk = join(folder, 'node_modules/@cuervo/sdk/package.json');
      expect(existsSync(sdk)).toBe(true);
      const npm = (...args: string[]) =>
        spawnSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder });
      expect(npm('install').status).toBe(0);
      expect(existsSync(sdk)).toBe(true);
      expect(npm('ci').status).toBe(0);
      expect(existsSync(sdk)).toBe(true);
      // in a clone, where git has left the link out, until the next build
      for (const name of ['.cuervo', 'node_modules'])
        rmSync(join(folder, name), { recursive: true });
      expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('.cuervo/\n');
      expect(npm('ci').status).toBe(0);
      expect((await place.cuervo(['plugin', 'build', 'w'])).code).toBe(0);
      expect(existsSync(sdk)).toBe(true);
    },
  );

  it('is told of when its package has another version than the plugin', async () => {
    using place = openPlace();
    await place.cuervo(['plugin', 'new', 'w', '--lang', 'js']);
    const told = 'package.json says version 0.2.0, and the plugin says 0.1.0';
    expect((await place.cuervo(['plugin', 'build', 'w'])).stderr).not.toContain('says version');
    const file = join(place.work, 'w/package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('0.1.0', '0.2.0'));
    expect((await place.cuervo(['plugin', 'build', 'w'])).stderr).toContain(`note: ${told}`);
    expect((await place.cuervo(['plugin', 'check', 'w'])).stdout).toContain(`note  ${told}`);
  });
});

describe('hostile inputs', () => {
  it('that a tool does not survive are run again by the command that is told', async () => {
    using place = openPlace();
    await place.cuervo(['plugin', 'new', 'w', '--lang', 'js']);
    const file = join(place.work, 'w/plugin.js');
    const source = readFileSync(file, 'utf8');
    const loop = "run: ({ text }) => { for (; text === ' '; ); return counted(text, 'it'); },";
    writeFileSync(file, source.replace("run: ({ text }) => counted(text, 'the text'),", loop));
    const all = await place.cuervo(['plugin', 'test', 'w', '--escape']);
    expect(all.code).toBe(1);
    const [, name = ''] =
      /again: cuervo plugin test w --escape --only '(.+)'/.exec(all.stdout) ?? [];
    expect(name).toBe('count: text is a space');
    const again = await place.cuervo(['plugin', 'test', 'w', '--escape', '--only', name]);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain('1 calls, 1 went wrong');
    const none = ['plugin', 'test', 'w', '--escape', '--only', 'no such call'];
    expect((await place.cuervo(none)).code).toBe(4);
  }, 240_000);
});

describe('cases', () => {
  it('fail with what differs, and are written with --update', async () => {
    using place = openPlace();
    await place.cuervo(['plugin', 'new', 'w', '--lang', 'js']);
    const file = join(place.work, 'w/w.cases.json');
    const cases = JSON.parse(readFileSync(file, 'utf8')) as { name: string; expect?: object }[];
    const [first, ...others] = cases;
    const text = JSON.stringify([{ ...first, expect: { content: { words: 4 } } }, ...others]);
    writeFileSync(file, text);
    const failed = await place.cuervo(['plugin', 'test', 'w']);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('FAIL  counts the words of a text');
    expect(failed.stdout).toMatch(/- {2}"words": 4\n\s+\+ {2}"words": 3/);
    expect((await place.cuervo(['plugin', 'test', 'w', '--update'])).code).toBe(0);
    const expected = '{ "content": { "words": 3 }, "summary": "3 words in the text" }';
    expect(readFileSync(file, 'utf8')).toBe(text.replace('{"content":{"words":4}}', expected));
    const passed = await place.cuervo(['plugin', 'test', 'w']);
    expect({ code: passed.code, out: passed.stdout }).toMatchObject({ code: 0 });
    rmSync(file);
    expect(twoLines(await place.cuervo(['plugin', 'test', 'w'])).error).toContain('no cases');
  });

  it('of a program keep what it expects: --update names the file, and writes what it leaves out', async () => {
    using place = openPlace();
    await place.cuervo(['plugin', 'new', 'w']);
    const file = join(place.work, 'w/w.cases.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('words: 3 }', 'words: 9 }'));
    const kept = await place.cuervo(['plugin', 'test', 'w', '--update']);
    expect([kept.code, kept.stderr]).toEqual([1, expect.any(String)]);
    expect(kept.stdout).toContain('FAIL  counts the words of a text');
    expect(kept.stderr).toContain('change "expect" in w/w.cases.ts');
    writeFileSync(file, text.replace(/ +expect: \{ content: \{ words: 3 .*\n/, ''));
    const wrote = await place.cuervo(['plugin', 'test', 'w', '--update']);
    expect([wrote.code, wrote.stdout]).toEqual([
      0,
      expect.stringContaining('wrote counts the words of a text'),
    ]);
    expect(existsSync(join(place.work, 'w/w.cases.answers.json'))).toBe(true);
    expect((await place.cuervo(['plugin', 'test', 'w'])).stdout).toContain('3 passed');
  });

  it('a check names what is missing, and how to mend it', async () => {
    using place = openPlace();
    await place.cuervo(['plugin', 'new', 'w', '--lang', 'js']);
    const file = join(place.work, 'w/plugin.js');
    const source = readFileSync(file, 'utf8')
      .replace("licence: 'MIT',", '')
      .replace("effect: 'read'", "effect: 'pure'")
      .replace("examples: [{ text: 'one two' }]", 'examples: []')
      .replace("why: 'reads the files whose words it counts'", "why: 'fs'")
      .replace("'Counts the words of a text.'", "'TODO: describe what it counts'")
      .replace(
        "'Counts the words of a file.'",
        "'Counts the description and TODO words of a file.'",
      );
    writeFileSync(file, source);
    const checked = await place.cuervo(['plugin', 'check', 'w']);
    expect(checked.code).toBe(1);
    for (const finding of [
      'it has no licence',
      'it wants fs because "fs"',
      'the tool count is described as "TODO: describe what it counts"',
      'the tool count has no example',
      'the tool count-file promises "pure", and fs.read-text needs "read"',
    ]) {
      expect(checked.stdout).toContain(`FIX   ${finding}`);
    }
    expect(checked.stdout).not.toContain('count-file is described');
  });
});

describe('two builds', () => {
  it('are compared with what is made anew, and not with what was kept', async () => {
    using place = openPlace();
    const kept = join(place.home, 'components');
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    await place.cuervo(['plugin', 'new', 'w', '--lang', 'js']);
    const same = await place.cuervo(['plugin', 'check', 'w']);
    expect(same.stdout).toContain('ok    two builds have one digest');
    const [name = ''] = readdirSync(kept);
    const other = readFileSync(join(kept, name)).subarray(64);
    other.write(' WORDS in ', other.indexOf(' words in '));
    writeFileSync(join(kept, name), Buffer.concat([Buffer.from(sha256(other)), other]));
    const checked = await place.cuervo(['plugin', 'check', 'w']);
    expect(checked.stdout).not.toContain('two builds have one digest');
    expect(checked.code).toBe(1);
  });
});

describe('a plugin that is a file', () => {
  it('is built of one file of another name, and errors name that file', async () => {
    using place = openPlace({
      'hello.js': `import { definePlugin, v } from '@cuervo/sdk';
import { greet } from './lib/greet.js';
export default definePlugin({ name: 'hello', version: '0.1.0', description: 'Greets.', wants: [], tools: [{
  name: 'greet', description: 'Greets somebody.', effect: 'pure', input: v.object({ name: v.string() }),
  examples: [{ name: 'you' }], run: ({ name }) => ({ content: greet(name), summary: 'greeted' }) }] });
`,
      'lib/greet.js': "export const greet = (name) => 'hello ' + name;\n",
    });
    const built = await place.cuervo(['plugin', 'build', 'hello.js']);
    expect(built.code).toBe(0);
    expect(existsSync(join(place.work, 'dist/hello.wasm'))).toBe(true);
    // The only tool need not be named.
    const ran = await place.cuervo(['run', '--plugin', 'dist/hello.wasm', 'name=x']);
    expect(ran.stdout).toBe('hello x\n');
    const shown = ['tools', '--plugin', 'dist/hello.wasm', 'greet'];
    const wrong = await place.cuervo(['run', '--plugin', 'dist/hello.wasm', 'who=x']);
    expect(twoLines(wrong).hint).toBe(
      'See what it takes with: cuervo tools --plugin dist/hello.wasm hello.greet',
    );
    expect((await place.cuervo(shown)).stdout).toContain('hello.greet  (hello 0.1.0, effect pure)');
    expect((await place.cuervo(['plugin', 'list'])).stdout).not.toContain('hello');
    const verified = await place.cuervo(['plugin', 'verify', 'dist/hello.wasm', '--json']);
    expect(verified.rows[0]).toMatchObject({ verdict: 'installable', name: 'hello' });
    place.write({
      'hello.js': "import { nothing } from './lib/greet.js';\nexport default nothing;\n",
    });
    expect(twoLines(await place.cuervo(['plugin', 'build', 'hello.js'])).error).toContain(
      'hello.js:1',
    );
  });

  it('verify exits with 6 for what would be refused', async () => {
    using place = openPlace({ 'a.wasm': 'text' });
    const verified = await place.cuervo(['plugin', 'verify', 'a.wasm']);
    expect(verified.code).toBe(6);
    expect(verified.stdout).toContain('refused: a.wasm');
  });

  it('gets what its manifest wants, although its toolchain imports more', async (context) => {
    const missing = whyNotBuilt('c', process.env);
    if (missing !== undefined) context.skip(missing);
    using place = openPlace({ 'a.txt': 'one two' });
    await place.cuervo(['plugin', 'new', 'w', '--lang', 'c'], { env: toolchainEnv });
    const run = [
      'run',
      '--plugin',
      'w/dist/w.wasm',
      'count-file',
      'path=a.txt',
      '--allow',
      'fs:work',
    ];
    await place.cuervo(['plugin', 'build', 'w'], { env: toolchainEnv });
    expect((await place.cuervo(run)).code).toBe(0);
    const toml = join(place.work, 'w/plugin.toml');
    writeFileSync(toml, readFileSync(toml, 'utf8').replace(/\[\[wants\]\][^[]*/, ''));
    await place.cuervo(['plugin', 'build', 'w'], { env: toolchainEnv });
    expect((await place.cuervo(run)).code).toBe(3);
  });
});
