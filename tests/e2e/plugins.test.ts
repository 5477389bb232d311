import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watGuest } from '../escape/support/wat-plugin.ts';
import { expectInstallable } from '../support/expect-installable.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, root, twoLines } from '../support/run-cuervo.ts';
import { embeddedModule, fromWat, witPackage } from '../support/test-binaries.ts';
import { exactAdder } from '../support/wat-world.ts';

const examples = join(root, 'examples/plugins');
const filesOf = (name: string): string[] => readdirSync(join(examples, name));
/** `author-examples.test.ts` builds those that have cases, and looks at each in the same way. */
const names = readdirSync(examples).filter(
  (name) =>
    name === 'link-clean' ||
    (filesOf(name).includes('plugin.ts') && !filesOf(name).some((file) => /\.cases\./.test(file))),
);

/** Built once, from a copy, so that nothing appears in the source tree. */
let built: Place;
const wasmOf = (name: string): string => join(built.work, `${name}.wasm`);

beforeAll(async () => {
  built = openPlace();
  for (const name of names) {
    const ran = await built.cuervo(['plugin', 'build', join(examples, name), '-o', wasmOf(name)]);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
  }
});
afterAll(() => built[Symbol.dispose]());

const builtins = ['file', 'git', 'script', 'search', 'shell', 'web'];

describe('a question that speaks of a tool of an installed plugin', () => {
  const question = 'how many words does notes.md have?';
  const openNotes = async (): Promise<Place> => {
    const place = openPlace({ 'notes.md': 'Words of a file.\nMore words here.\n' });
    const installed = await place.cuervo(['plugin', 'install', wasmOf('wordcount'), '--yes']);
    expect(installed.code).toBe(0);
    return place;
  };

  it('shows what the tool said first, and passages behind it', async () => {
    using place = await openNotes();
    const ran = await place.cuervo(['ask', question, '--allow', 'fs:work']);
    expect(ran.code).toBe(0);
    const lines = ran.stdout.split('\n');
    expect(lines[0]).toMatch(/^These are words of a plugin and passages/);
    expect(lines[2]).toBe('The plugin wordcount says: 7 words in notes.md:');
    expect(lines[3]).toBe('  words: 7');
    expect(ran.stdout).toMatch(/^notes\.md:1-/m);
  });

  it('says how to grant what the tool lacks, and shows the passages', async () => {
    using place = await openNotes();
    const ran = await place.cuervo(['ask', question]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).not.toContain('The plugin');
    expect(ran.stderr).toMatch(
      /note: .*wordcount was not granted fs .*cuervo plugin grant wordcount/,
    );
  });

  it('fails with what the tool lacks where nothing else answers', async () => {
    using place = await openNotes();
    writeFileSync(join(place.work, 'notes.md'), '\n');
    for (const _ of ['first', 'remembered']) {
      const ran = await place.cuervo(['ask', question]);
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain('hint: cuervo plugin grant wordcount fs:work');
    }
    const granted = await place.cuervo(['ask', question, '--allow', 'fs:work']);
    expect(granted.stdout).toContain('The plugin wordcount says: 0 words in notes.md');
  });

  it('says why it was chosen, and finds it for a goal', async () => {
    using place = await openNotes();
    const why = await place.cuervo(['plan', '--why', question]);
    expect(why.stdout).toMatch(/^ {2}wordcount\.count-file was chosen$/m);
    const found = await place.cuervo(['tools', '--search', 'number of words in a file', '--json']);
    expect(found.rows[0]?.name).toBe('wordcount.count-file');
  });
});

describe('the example plugins', () => {
  it.each(names)('build from one file to a component that is installable: %s', async (name) => {
    await expectInstallable(built, name, wasmOf(name));
  });

  // The others name files or grants of their own, which their cases bring.
  it.each(names)('run every one of their examples after they are installed: %s', async (name) => {
    using place = openPlace({ 'README.md': '# Title\n\nTwo words here.\n\n## Part\n' });
    const installed = await place.cuervo(['plugin', 'install', wasmOf(name), '--yes']);
    expect(installed.code).toBe(0);
    const tools = await place.cuervo(['tools', name, '--json']);
    expect(tools.rows.length).toBeGreaterThan(0);
    for (const tool of tools.rows) {
      for (const example of tool.examples as object[]) {
        const call = ['run', String(tool.name), JSON.stringify(example)];
        const ran = await place.cuervo([...call, '--allow', 'fs:work', '--json']);
        expect({ call, code: ran.code }).toEqual({ call, code: 0 });
      }
    }
  });
});

describe('plugin install', () => {
  it('shows the label, installs, keeps the grants, lists, runs and removes', async () => {
    using place = openPlace({ 'a.txt': 'one two three\n' });
    const count = ['run', 'wordcount.count-file', '{"path":"work:a.txt"}'];

    const unknown = await place.cuervo(count);
    expect(unknown.code).toBe(4);

    const ran = await place.cuervo(['plugin', 'install', wasmOf('wordcount'), '--yes']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('installed wordcount 0.1.0');
    expect(ran.stderr).toContain('reads the files whose words it counts');
    expect(ran.stderr).toContain('Granted now: nothing');

    // --yes granted nothing.
    const denied = await place.cuervo([...count, '--json']);
    expect(denied.code).toBe(3);
    expect(lineOf(denied, 'step-finished').status).toBe('denied');
    expect(lineOf(denied, 'error').hint).toContain('--allow fs:work');
    expect(lineOf(denied, 'plan').capabilities).toMatchObject([
      { capability: 'fs', decision: 'deny' },
    ]);

    const allowed = await place.cuervo([...count, '--allow', 'fs:work', '--json']);
    expect(allowed.code).toBe(0);
    expect(JSON.parse(lineOf(allowed, 'result').content)).toEqual({ words: 3 });
    // That was for one run.
    expect((await place.cuervo(count)).code).toBe(3);

    const granted = ['plugin', 'install', wasmOf('wordcount'), '--yes', '--grant', 'fs:work'];
    const again = await place.cuervo([...granted, '--json']);
    expect(again.rows).toMatchObject([{ name: 'wordcount', grants: ['fs:work'] }]);
    expect((await place.cuervo(count)).code).toBe(0);
    expect(statSync(join(place.home, 'grants.toml')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place.home, 'plugins.lock'), 'utf8')).not.toContain('fs:work');

    const list = await place.cuervo(['plugin', 'list', '--json']);
    expect(list.rows.map(({ name }) => name)).toEqual([...builtins, 'wordcount']);
    expect((await place.cuervo(['plugin', 'list'])).stdout).toContain('wordcount 0.1.0');

    const removed = await place.cuervo(['plugin', 'remove', 'wordcount']);
    expect(removed.stdout).toBe('removed wordcount 0.1.0\n');
    expect((await place.cuervo(count)).code).toBe(4);
    expect(readFileSync(join(place.home, 'grants.toml'), 'utf8')).not.toContain('wordcount');
    expect(readdirSync(join(place.home, 'plugins'))).toEqual([]);
    const twice = await place.cuervo(['plugin', 'remove', 'wordcount']);
    expect(twice.code).toBe(4);
    expect(twoLines(twice).error).toContain('wordcount');
  });

  it('needs a yes, and asks nobody where there is no terminal', async () => {
    using place = openPlace();
    const ran = await place.cuervo(['plugin', 'install', wasmOf('wordcount')], {
      stdin: 'y\n',
      env: { CI: 'true' },
    });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('hint: Read the label above and repeat the command with --yes.');
    const list = await place.cuervo(['plugin', 'list', '--json']);
    expect(list.rows.map(({ name }) => name)).toEqual(builtins);
    expect(readdirSync(join(place.home, 'plugins'))).toEqual([]);
  });

  it('refuses a grant that the binary could never use', async () => {
    using place = openPlace();
    const args = ['plugin', 'install', wasmOf('wordcount'), '--yes', '--grant', 'kv'];
    const ran = await place.cuervo(args);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).toBe('wordcount cannot use kv: it wants fs');
    const list = await place.cuervo(['plugin', 'list', '--json']);
    expect(list.rows.map(({ name }) => name)).toEqual(builtins);
  });

  it('does not take the name of a built-in plugin, nor remove one', async () => {
    using place = openPlace();
    const search = join(root, 'dist/builtin/wasm/search.wasm');
    const ran = await place.cuervo(['plugin', 'install', search, '--yes']);
    expect(ran.code).toBe(6);
    expect(twoLines(ran).error).toContain('"search" is the name of a built-in plugin');
    expect(twoLines(ran).hint).toContain(
      'Its author has to rename it, or you give it another name: --as my-',
    );
    const removed = await place.cuervo(['plugin', 'remove', 'search']);
    expect(removed.code).toBe(2);
    expect(twoLines(removed).error).toContain('built in');
  });

  it('says to rename the file where a plugin would be called like a built-in one after it', async () => {
    using place = openPlace({ 'git.wasm': await exactAdder() });
    const ran = await place.cuervo(['plugin', 'install', 'git.wasm', '--yes']);
    expect(ran.code).toBe(6);
    const [row] = (await place.cuervo(['plugin', 'inspect', 'git.wasm', '--json'])).rows;
    expect(row).toMatchObject({
      verdict: 'refused',
      reasons: ['"git" is the name of a built-in plugin'],
    });
    expect(twoLines(ran).hint).toBe(
      'Its name comes from its file: rename that, for example to my-git.wasm',
    );
  });

  it('keeps one whole plugin when four install it at the same time', async () => {
    using place = openPlace();
    const args = ['plugin', 'install', wasmOf('wordcount'), '--yes'];
    const ran = await Promise.all([1, 2, 3, 4].map(() => place.cuervo(args, { ownProcess: true })));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(readdirSync(join(place.home, 'plugins')).length).toBe(1);
    const list = await place.cuervo(['plugin', 'list', '--json']);
    expect(list.rows.filter(({ name }) => name === 'wordcount').length).toBe(1);
    const run = await place.cuervo(['run', 'wordcount.count', '{"text":"one two"}']);
    expect(run.stdout).toBe('{"words":2}\n');
  });

  it('runs nothing of a binary that was changed on disk afterwards', async () => {
    using place = openPlace();
    await place.cuervo(['plugin', 'install', wasmOf('wordcount'), '--yes']);
    const [digest] = readdirSync(join(place.home, 'plugins'));
    const glue = join(place.home, 'plugins', digest ?? '', 'component.js');
    const text = readFileSync(glue, 'utf8');
    const count = ['run', 'wordcount.count', '{"text":"one two"}'];
    expect((await place.cuervo(count)).code).toBe(0);
    writeFileSync(glue, `${text}\n`);
    const ran = await place.cuervo(count);
    expect(ran.code).toBe(6);
    expect(twoLines(ran).error).toContain('wordcount');
    // Installed once more, it is whole.
    expect((await place.cuervo(['plugin', 'install', wasmOf('wordcount'), '--yes'])).code).toBe(0);
    expect(readFileSync(glue, 'utf8')).toBe(text);
    expect((await place.cuervo(count)).code).toBe(0);
  });

  it('writes nothing where the same one is there', async () => {
    using place = openPlace();
    const again = ['plugin', 'install', wasmOf('wordcount'), '--yes'];
    await place.cuervo(again);
    const lock = join(place.home, 'plugins.lock');
    const [text, { ino }] = [readFileSync(lock, 'utf8'), statSync(lock)];
    expect((await place.cuervo(again)).stdout).toContain('installed wordcount');
    expect([readFileSync(lock, 'utf8'), statSync(lock).ino]).toEqual([text, ino]);
    // The control: under another name it is another one.
    await place.cuervo([...again, '--as', 'counter']);
    expect(statSync(lock).ino).not.toBe(ino);
  });
});

describe('plugin inspect', () => {
  it('shows the label and runs nothing but describe()', async () => {
    // A build makes a home, which keeps what the engine's tool made.
    const home = join(built.dir, 'another');
    const ran = await built.cuervo(['plugin', 'inspect', wasmOf('wordcount')], { home });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('wordcount');
    expect(ran.stdout).toContain('reads the files whose words it counts');
    expect(ran.stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(existsSync(home)).toBe(false);
  });

  const cases: [string, () => Promise<Uint8Array> | Uint8Array][] = [
    ['text', () => Buffer.from('not a component at all\n')],
    ['an empty file', () => Buffer.alloc(0)],
    ['only the magic bytes', () => Buffer.from('\0asm\x0d\0\x01\0', 'latin1')],
    ['a truncated component', () => good().subarray(0, 100_000)],
    ['a bit flipped in the middle of its code', () => flipped()],
    ['a core module', () => fromWat('(module (func (export "run")))')],
    ['a core module with a world in a section', () => embeddedModule(['fs'])],
    ['a WIT package encoded as a component', () => witPackage()],
    ['a component without tools', () => fromWat('(component)')],
    ['an unknown import', () => fromWat('(component (import "evil:host/door@1.0.0" (instance)))')],
    ['zeros', () => Buffer.alloc(1_000_000)],
    ['10,000 tools', async () => readFileSync(await watGuest(manyTools))],
  ];

  it.each(cases)('refuses %s with exit code 6 and a reason', async (_, make) => {
    using place = openPlace({ 'bad.wasm': await make() });
    const ran = await place.cuervo(['plugin', 'inspect', 'bad.wasm', '--json']);
    expect(ran.code).toBe(6);
    expect(ran.rows).toMatchObject([{ file: 'bad.wasm', verdict: 'refused' }]);
    const reasons = ran.rows[0]?.reasons as string[];
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).not.toMatch(/\bat .+:\d+:\d+|TypeError|panicked/);

    const install = await place.cuervo(['plugin', 'install', 'bad.wasm', '--yes']);
    expect(install.code).toBe(6);
    expect(twoLines(install).error).not.toBe('');
    expect(existsSync(join(place.home, 'plugins.lock'))).toBe(false);
  });

  it('refuses 100 MB of zeros by their number, without reading them', async () => {
    using place = openPlace({ 'zeros.wasm': Buffer.alloc(100 * 1024 * 1024) });
    const ran = await place.cuervo(['plugin', 'inspect', 'zeros.wasm']);
    expect(ran.code).toBe(6);
    expect(twoLines(ran).error).toMatch(/104857600 bytes, limit \d+/);
    expect(twoLines(ran).hint).toContain('wasm-tools strip');
  });

  it('reads the next file after one that would break a reader', async () => {
    using place = openPlace({ 'package.wasm': await witPackage() });
    const { openKernel } = await import('../../src/kernel.ts');
    await using kernel = await openKernel({ workspace: place.work, home: place.home });
    const signal = new AbortController().signal;
    const bad = await kernel.plugins.inspect(join(place.work, 'package.wasm'), { signal });
    expect(bad.verdict).toBe('refused');
    const next = await kernel.plugins.inspect(wasmOf('wordcount'), { signal });
    expect(next.verdict).toBe('installable');
  });

  it.each([
    ['a file that is not there', 'none.wasm', 4],
    ['a folder', '.', 2],
  ])('says of %s what it is', async (_, file, code) => {
    const ran = await built.cuervo(['plugin', 'inspect', file]);
    expect(ran.code).toBe(code);
    expect(twoLines(ran).error).toContain(file);
  });

  const good = (): Buffer => readFileSync(wasmOf('wordcount'));
  const flipped = (): Buffer => {
    const bytes = good();
    const middle = Math.floor(bytes.length / 2);
    for (let at = middle; at < middle + 64; at += 1) bytes[at] = (bytes[at] as number) ^ 0xff;
    return bytes;
  };
});

/** Its `describe()` repeats one tool. */
const manyTools = {
  name: 'many-tools',
  memory: '(memory (export "memory") 12)',
  describe: `(loop $more
      (memory.copy (i32.add (i32.const 65536) (i32.mul (local.get $i) (i32.const 48)))
        (i32.const 4104) (i32.const 48))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $i) (i32.const 10000))))
    (i32.store (i32.const 4096) (i32.const 65536))
    (i32.store (i32.const 4100) (i32.const 10000))`,
  call: '(call $ok-number (i32.const 1))',
};

const versionOne = `import { definePlugin, v } from '@cuervo/sdk';
const run = () => ({ content: '', summary: '' });
const tools = [{ name: 'a', description: 'x', effect: 'pure', input: v.object({}), examples: [], run }];
export default definePlugin({ name: 'p', version: 'one', description: 'x', wants: [], tools });
`;

describe('plugin build', () => {
  it.each([
    ['a folder without a plugin', { 'src/a.ts': 'export {};\n' }, 'src'],
    ['a syntax error', { 'p/plugin.ts': 'export default {{\n' }, 'p'],
    ['no definition', { 'p/plugin.ts': 'export const x = 1;\n' }, 'p'],
    ['what install would refuse', { 'p/plugin.ts': versionOne }, 'p'],
  ])('says what is wrong with %s', async (_, files, folder) => {
    using place = openPlace(files as unknown as Record<string, string>);
    const ran = await place.cuervo(['plugin', 'build', folder]);
    expect(ran.code).toBe(2);
    expect(twoLines(ran).error).not.toMatch(/TypeError|\bat .+:\d+:\d+\)/);
    expect(existsSync(join(place.work, folder, 'dist'))).toBe(false);
  });
});
