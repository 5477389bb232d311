import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BuildError } from './build-error.ts';
import { buildPlugin } from './build-plugin.ts';
import { checkOutput } from './check-output.ts';
import { writeOutput } from './write-output.ts';

const root = resolve(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'cuervo-build-'));
afterAll(() => rmSync(dir, { recursive: true }));

const build = (folder: string, more: Partial<Parameters<typeof buildPlugin>[0]> = {}) =>
  buildPlugin({
    folder,
    engine: 'quickjs',
    sdkFolder: join(root, 'sdk'),
    witFolder: join(root, 'wit'),
    ...more,
  });

describe('buildPlugin()', () => {
  it('says which folder is not there, or what is missing in it, and nothing of the bundler', async () => {
    const nowhere = join(dir, 'nosuch');
    await expect(build(nowhere)).rejects.toThrow(/^the folder \S+\/nosuch does not exist$/);
    await expect(build(dir)).rejects.toThrow(/^the folder \S+ has no plugin\.ts or plugin\.js$/);
    await expect(build(import.meta.filename)).rejects.toThrow(
      /test\.ts is a file: name the folder/,
    );
  });

  const folderWith = (name: string, source: string): string => {
    const folder = join(dir, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'plugin.ts'), source);
    return folder;
  };

  it('says that there is no default export, and nothing of the bundler', async () => {
    await expect(build(folderWith('none', 'export const x = 1;\n'))).rejects.toThrow(
      `the plugin's definition: plugin.ts (or plugin.js) has to end in "export default definePlugin`,
    );
  });

  const withTop = (top: string): string =>
    readFileSync(join(root, 'examples/plugins/wordcount/plugin.ts'), 'utf8').replace(
      'export default',
      `${top}\nexport default`,
    );

  it('says where the time is asked for without clock, and nothing of dates that are known', async () => {
    const asks = 'Object.assign(globalThis, { due: new Date(0), now: () => new Date() });';
    const { notes } = await build(folderWith('time', withTop(asks)));
    expect(notes).toEqual([
      expect.stringMatching(/^time stands still without clock, and is asked for: plugin\.ts:\d+; /),
    ]);
    const known = "Object.assign(globalThis, { due: new Date(0), text: 'now' });";
    expect((await build(folderWith('dates', withTop(known)))).notes).toEqual([]);
  });

  it('names a code that no ToolError has, whatever the class is called, and the codes there are', async () => {
    const source = withTop(
      "class ToolError extends Error {}\nObject.assign(globalThis, { bad: (): never => { throw new Own('invalid-argument', 'no'); } });\nnew ToolError('any');",
    ).replace("'@cuervo/sdk';", "'@cuervo/sdk';\nimport { ToolError as Own } from '@cuervo/sdk';");
    await expect(build(folderWith('codes', source))).rejects.toThrow(
      /^plugin\.ts:\d+: ToolError has no code "invalid-argument"; it has invalid-input, not-found, denied, limit, timeout, conflict, unavailable, failed$/,
    );
  });

  it('names a host call at the top level, with its line', async () => {
    await expect(build(folderWith('early', withTop("fs.stat('a');")))).rejects.toThrow(
      /the host call stat at the top level of the plugin.+, at plugin\.ts:3$/,
    );
  });

  it('takes modules of Node, and refuses what their stubs are asked at the top level', async () => {
    for (const name of ['fs', 'node:fs', 'fs/promises']) {
      const source = `import own from '${name}';\n${withTop("own.readFile('a');")}`;
      const folder = folderWith(name.replace(/\W/g, '-'), source);
      await expect(build(folder)).rejects.toThrow(
        /readFile does not exist in a plugin: use the capabilities fs and fs-write, at plugin\.ts:4$/,
      );
    }
    const used = "import { join } from 'node:path';\nimport { statSync } from 'node:fs';\n";
    const late = withTop("const late = () => statSync(join('a', 'b'));").replace(
      'const words',
      'late; const words',
    );
    const built = await build(folderWith('late', `${used}${late}`));
    expect(built.notes).toEqual([]);
  });

  it('warns of a global that is absent at run time, with file, line and what imports it', async () => {
    const folder = folderWith(
      'absent',
      `import { ask } from 'asker';\n${withTop('const own = () => document.title;')}`.replace(
        'const words',
        'ask; own; const words',
      ),
    );
    const asker = "import './other.js';\nexport const ask = () => fetch('https://a.b');\n";
    const other =
      'if (typeof fetch === "function") fetch;\nglobalThis.own = () => new Unknown();\n';
    mkdirSync(join(folder, 'node_modules/asker'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/asker/index.js'), asker);
    writeFileSync(join(folder, 'node_modules/asker/other.js'), other);
    const { notes } = await build(folder);
    expect(notes).toEqual([
      'Unknown is undefined at run time: node_modules/asker/other.js:2 (imported by plugin.ts > node_modules/asker/index.js); --engine starlingmonkey has the APIs of the web, in a component of 12 MB',
      'fetch is undefined at run time: node_modules/asker/index.js:2 (imported by plugin.ts); use the capability http',
      'document is undefined at run time: plugin.ts:4; only pages have it: take another entry of the package, or another package',
    ]);
  });

  it('refuses an absent global at the top level, with file, line and what helps', async () => {
    const folder = folderWith('top-absent', withTop('export const page = document.title;'));
    await expect(build(folder)).rejects.toThrow(
      /^the plugin's definition: .*document is not defined, at plugin\.ts:3; only pages have it/,
    );
  });

  it('says in one line what the engine cannot run at the top level, and where that is', async () => {
    const checks =
      "const at = typeof WebAssembly;\nif (at === 'undefined') throw new Error('no compiler');";
    await expect(build(folderWith('throws', withTop(checks)))).rejects.toThrow(
      /^the plugin's definition: no compiler, at plugin\.ts:4$/,
    );
    const deep = 'const deep = (left: number): number => (left === 0 ? 0 : deep(left - 1));';
    const source = withTop(`${deep}\nif (typeof WebAssembly === 'undefined') deep(1e9);`);
    await expect(build(folderWith('deep', source))).rejects.toThrow(
      /^the plugin's definition: [^\n]+$/,
    );
  });

  it('makes the same binary in any folder, and one without a map for a release', async () => {
    const source = readFileSync(join(root, 'examples/plugins/wordcount/plugin.ts'), 'utf8');
    const [one, other] = [folderWith('same', source), join(dir, 'a/b/c/other')];
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'plugin.ts'), source);
    const bytes = async (folder: string) => readFileSync((await build(folder)).file);
    const first = await bytes(one);
    expect(first.equals(await bytes(other))).toBe(true);
    expect(first.includes('cuervo:source-map')).toBe(true);
    const released = await buildPlugin({
      folder: one,
      release: true,
      engine: 'quickjs',
      sdkFolder: join(root, 'sdk'),
      witFolder: join(root, 'wit'),
    });
    expect(readFileSync(released.file).includes('cuervo:source-map')).toBe(false);
    expect(released.bytes).toBeLessThan(first.byteLength);
  });

  it('takes a package that is called as a module of Node is', async () => {
    const source = `import events from 'events';\n${withTop('console.log(events);')}`;
    const folder = folderWith('polyfill', source);
    mkdirSync(join(folder, 'node_modules/events'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/events/index.js'), 'module.exports = class _E {};\n');
    expect((await build(folder)).description.manifest.name).toBe('wordcount');
  });

  it('has self, a place and the newest regular expressions at the top level', async () => {
    const newest = "/^\\p{RGI_Emoji}$/v.test('👍🏽') && /(?<a>x)|(?<a>y)/.test('y')";
    const top = `if (!(${newest})) throw new Error('old'); self.a = __dirname + import.meta.url;`;
    const built = await build(
      folderWith('newest', withTop(`declare const __dirname: string;\n${top}`)),
    );
    expect(built.notes).toEqual([
      expect.stringMatching(/^__dirname is \/ at run time: plugin\.ts:4; a plugin has no place/),
    ]);
  });

  it('meets no Node while it is asked what it is, and is not waited for', async () => {
    const top =
      "if ('node' in process.versions) throw new Error('Node');\nnew MessageChannel().port1.onmessage = () => {};\nsetInterval(() => {}, 1_000);";
    expect((await build(folderWith('no-node', withTop(top)))).notes).toEqual([]);
  });

  it('lets a plugin give its own functions the names of globals', async () => {
    const top = 'function process() {}\nfunction JSON() {}\nself.kept = [process, JSON];';
    expect((await build(folderWith('own-names', withTop(top)))).notes).toEqual([]);
  });

  it('builds a plugin whose name is a word of WIT', async () => {
    const example = join(root, 'examples/plugins/wordcount/plugin.ts');
    const source = readFileSync(example, 'utf8').replace("'wordcount'", "'world'");
    const built = await build(folderWith('world', source));
    expect(built.description.manifest.name).toBe('world');
    expect(built.notes).toEqual([]);
  });

  it('takes nothing that the top level writes to console for the description', async () => {
    const example = join(root, 'examples/plugins/wordcount/plugin.ts');
    const source = `console.log('{}');\n${readFileSync(example, 'utf8')}`;
    const built = await build(folderWith('talks', source));
    expect(built.description.manifest.name).toBe('wordcount');
  });

  it.each([
    ['without log', '', [expect.stringMatching(/console is dropped: .+ capability: 'log'/)]],
    ['with log', "{ capability: 'log', why: 'tells' },", []],
  ])('says whether console leads nowhere: %s', async (name, want, notes) => {
    const example = join(root, 'examples/plugins/wordcount/plugin.ts');
    const source = readFileSync(example, 'utf8')
      .replace('wants: [', `wants: [${want}`)
      .replace('const words', "console.log('counted');\nconst words");
    expect((await build(folderWith(name, source))).notes).toEqual(notes);
  });

  it('makes a second binary that wants log, for an author who tries it', async () => {
    const example = join(root, 'examples/plugins/wordcount/plugin.ts');
    const source = readFileSync(example, 'utf8');
    const consoleOut = join(dir, 'seen.wasm');
    const silent = await build(folderWith('silent', source), { consoleOut });
    expect({ seen: silent.seen, isThere: existsSync(consoleOut) }).toEqual({ isThere: false });
    const talking = source.replace('const words', "console.log('counted');\nconst words");
    const built = await build(folderWith('talking', talking), { consoleOut });
    expect(built.seen).toBe(consoleOut);
    expect(built.notes).toEqual([expect.stringMatching(/console is shown here, and dropped/)]);
    const wantsOf = (file: string) => /"capability":"log"/.test(readFileSync(file, 'latin1'));
    expect([wantsOf(consoleOut), wantsOf(built.file)]).toEqual([true, false]);
  });

  it('makes no file that nobody could install', async () => {
    const folder = join(root, 'examples/plugins/wordcount');
    const out = join(dir, 'refused.wasm');
    await expect(build(folder, { out, whyRefused: () => 'it is refused' })).rejects.toThrow(
      'it is refused',
    );
    expect(existsSync(out)).toBe(false);
  });

  it('does not replace a source by its binary', async () => {
    const folder = join(root, 'examples/plugins/wordcount');
    const source = join(dir, 'source.ts');
    writeFileSync(source, 'export default 1;\n');
    await expect(build(folder, { out: source })).rejects.toThrow('is not a WebAssembly binary');
    expect(readFileSync(source, 'utf8')).toBe('export default 1;\n');
  });
});

describe('checkOutput()', () => {
  it('lets a new file and an earlier binary pass', () => {
    const binary = join(dir, 'old.wasm');
    writeFileSync(binary, new Uint8Array([0, 0x61, 0x73, 0x6d, 13, 0, 1, 0]));
    expect(() => checkOutput(binary)).not.toThrow();
    expect(() => checkOutput(join(dir, 'new.wasm'))).not.toThrow();
  });

  it('refuses a folder and an empty file', () => {
    const empty = join(dir, 'empty');
    writeFileSync(empty, '');
    expect(() => checkOutput(dir)).toThrow('is a folder');
    expect(() => checkOutput(empty)).toThrow('is not a WebAssembly binary');
    expect(() => checkOutput('')).toThrow('the output has no name');
  });
});

describe('writeOutput()', () => {
  it('makes the folders above, and says where nothing can be written, leaving nothing behind', () => {
    const file = join(dir, 'out/deep/new.wasm');
    writeOutput(file, new Uint8Array([0]));
    expect([...readFileSync(file)]).toEqual([0]);
    const says = /cannot be written \(E[A-Z]+\): name another with --out FILE$/;
    expect(() => writeOutput(join(file, 'x.wasm'), new Uint8Array([1]))).toThrow(says);
    // A folder took the name meanwhile.
    expect(() => writeOutput(dirname(file), new Uint8Array([1]))).toThrow(BuildError);
    expect(readdirSync(join(dir, 'out'))).toEqual(['deep']);
  });
});
