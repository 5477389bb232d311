import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleForEngine } from './bundle-for-engine.ts';

const sdkFolder = resolve(import.meta.dirname, '..');
const dir = mkdtempSync(join(tmpdir(), 'cuervo-bundle-'));
afterAll(() => rmSync(dir, { recursive: true }));
let made = 0;

/** What a plugin's default export is, and which globals of the SDK it was given. */
async function bundled(files: {
  [path: string]: string;
}): Promise<{ value: unknown; shims: string[] }> {
  made += 1;
  const folder = join(dir, `plugin-${made}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  let shims: readonly string[] = [];
  const { code } = await bundleForEngine({
    folder,
    sdkFolder,
    load: (name) => import(name),
    capabilities: new Set(['random']),
    entryWith: (given) => {
      shims = given;
      return "import value from 'cuervo:plugin-entry'; export default value;";
    },
  });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return { value: module.default, shims: [...shims] };
}

const inPackage = (name: string, text: string) => ({ [`node_modules/${name}/index.js`]: text });
const imports = { 'plugin.js': "import * as m from 'one';\nexport default m.default;\n" };

describe('bundleForEngine()', () => {
  it('bundles what a package requires by a require of its own', async () => {
    const own =
      "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nexport default require('./data.json').a;\n";
    const data = { 'node_modules/one/data.json': '{ "a": 5 }' };
    expect((await bundled({ ...imports, ...inPackage('one', own), ...data })).value).toBe(5);
  });

  it.each([
    ['reads', "require('node:fs').readFileSync(__dirname + '/../../secret.txt', 'utf8')"],
    ['reads by a link', "require('node:fs').readFileSync(__dirname + '/link.txt', 'utf8')"],
    ['requires', "require('../../secret.json')"],
  ])('bundles no file of the author that a package %s', async (_, read) => {
    const secrets = { 'secret.txt': 'mine', 'secret.json': '"mine"' };
    const own = inPackage('one', `exports.default = ${read};`);
    mkdirSync(join(dir, `plugin-${made + 1}`, 'node_modules/one'), { recursive: true });
    symlinkSync('../../secret.txt', join(dir, `plugin-${made + 1}`, 'node_modules/one/link.txt'));
    await expect(bundled({ ...imports, ...secrets, ...own })).rejects.toThrow(
      /^the package one takes secret\.(?:txt|json), which is in no package/,
    );
    const beside = { 'node_modules/one/secret.txt': 'its own' };
    const text =
      "exports.default = require('node:fs').readFileSync(__dirname + '/secret.txt', 'utf8');";
    expect(
      (await bundled({ ...imports, ...beside, ...inPackage('one', text) })).value,
    ).toMatchObject({ default: 'its own' });
  });

  it('leaves an import in a text of the plugin alone, and bundles what the plugin requires', async () => {
    const text =
      "import { createRequire } from 'node:module';\nconst own = createRequire(import.meta.url);\nexport default [own('./data.json'), `\nimport { fs } from '@cuervo/sdk';`];\n";
    const { value } = await bundled({ 'plugin.js': text, 'data.json': '4' });
    expect(value).toEqual([4, "\nimport { fs } from '@cuervo/sdk';"]);
  });

  it('takes a module of CommonJS without a default export as Node takes it', async () => {
    const text = "Object.defineProperty(exports, '__esModule', { value: true }); exports.a = 6;";
    const { value } = await bundled({ ...imports, ...inPackage('one', text) });
    expect(value).toMatchObject({ a: 6 });
  });

  it('takes the entry of Node where that of bundlers lacks what is imported', async () => {
    const { value } = await bundled({
      ...imports,
      'node_modules/one/package.json': '{ "main": "main.js", "module": "index.js" }',
      ...inPackage('one', 'export const a = 1;'),
      'node_modules/one/main.js': 'module.exports = { a: 7 };',
    });
    expect(value).toMatchObject({ a: 7 });
  });

  it('takes the entry of Node where that of browsers is a script that exports nothing', async () => {
    const entries = (browser: string) => ({
      ...imports,
      'node_modules/one/package.json': '{ "main": "index.js", "browser": "./page.js" }',
      ...inPackage('one', 'module.exports = 9;'),
      'node_modules/one/page.js': browser,
    });
    const script = '(function (root) { var exports = {}; root.One = exports; })(this);';
    expect((await bundled(entries(script))).value).toBe(9);
    expect((await bundled(entries('module.exports = 10;'))).value).toBe(10);
  });

  it('keeps a file that a package reads beside itself, under a place of its own', async () => {
    const text = `const { readFileSync } = require('fs');
const bytes = readFileSync(require.resolve('./b.bin'));
module.exports = [__dirname + '/a.txt', readFileSync(__dirname + '/a.txt', 'utf8'), bytes[0]];
require.extensions['.x'] = module.exports;
`;
    const { value } = await bundled({
      ...imports,
      ...inPackage('one', text),
      'node_modules/one/a.txt': 'words',
      'node_modules/one/b.bin': '\xff',
    });
    expect(value).toEqual(['/one/a.txt', 'words', 0xc3]);
  });

  it('bundles what a bundler of the package left to be required', async () => {
    const text = `var __require = ((x) => typeof require !== 'undefined' ? require : x)((x) => {
  throw Error(x);
});
export default __require('path').posix.join('a', __require('./b.json'));
`;
    const { value } = await bundled({
      ...imports,
      ...inPackage('one', text),
      'node_modules/one/b.json': '"b"',
    });
    expect(value).toBe('a/b');
  });

  it('names what v and the calls of the host do not have', async () => {
    const text = (name: string) =>
      `import { fs, v } from '@cuervo/sdk';\n\nexport default [fs.readText, v.string, ${name}];\n`;
    const wrong = (name: string) => expect(bundled({ 'plugin.js': text(name) })).rejects;
    await wrong('v.objekt').toThrow(/plugin\.js:3: v \(valibot\) has no "objekt"$/);
    await wrong('fs.readTexts').toThrow(/plugin\.js:3: fs has no "readTexts"$/);
  });

  it('lets a package run that requires in vain, and throws where it is required', async () => {
    const text =
      "exports.default = () => { try { return require('nosuch'); } catch ({ code }) { return code; } };\nexports.odd = () => require('./odd.js');";
    const odd = { 'node_modules/one/odd.js': 'type A = { b: c };\n' };
    const { value } = await bundled({ ...imports, ...inPackage('one', text), ...odd });
    expect((value as { default: () => string }).default()).toBe('MODULE_NOT_FOUND');
  });

  it('refuses what an author imports in vain', async () => {
    const plugin = { 'plugin.js': "import 'nosuch';\nexport default 1;\n" };
    await expect(bundled(plugin)).rejects.toThrow('Could not resolve "nosuch"');
  });

  it('runs code that is not strict and makes a global', async () => {
    const text = 'Made = function () { return 8; };\nmodule.exports = Made();\n';
    expect((await bundled({ ...imports, ...inPackage('one', text) })).value).toBe(8);
  });

  it.each([
    ['self', 'before a page', "module.exports = () => (typeof self === 'object' ? self : window);"],
    ['global', 'at last', "module.exports = typeof self !== 'undefined' ? self : global;"],
    ['crypto', 'of an object', 'module.exports = (root) => root.crypto.getRandomValues(1);'],
    ['abort', 'taken apart', 'const { AbortController: A } = globalThis;\nmodule.exports = A;'],
    ['node-version', 'unasked', "module.exports = () => process.versions.node.split('.');"],
    ['message-channel', 'unasked', 'module.exports = () => new MessageChannel();'],
    ['fetch', 'of an object', 'module.exports = (root) => root.fetch;'],
  ])('gives %s to code that looks for it: %s', async (shim, _, text) => {
    const { shims } = await bundled({ ...imports, ...inPackage('one', text) });
    expect(shims).toContain(shim);
  });

  it('gives nothing to code that looks for nothing', async () => {
    const { shims } = await bundled({ ...imports, ...inPackage('one', 'module.exports = 1;') });
    expect(shims).toEqual([]);
  });
});
