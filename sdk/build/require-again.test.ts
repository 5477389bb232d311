import { describe, expect, it } from 'vitest';
import { requireAgain } from './require-again.ts';

describe('requireAgain()', () => {
  it.each([
    [
      "const require = createRequire(import.meta.url);\nrequire('./a.json');",
      "const required = createRequire(import.meta.url);\nrequire('./a.json');",
    ],
    [
      'const required = 1, require = createRequire ? createRequire(import.meta.url) : undefined;\nrequire(a);',
      'const required = 1, required_ = createRequire ? createRequire(import.meta.url) : undefined;\nrequire(a);',
    ],
    [
      "const data = createRequire(import.meta.url)('./a.json');",
      "const data = require('./a.json');",
    ],
    [
      "const load = module.createRequire(import.meta.url);\nx.load('b'); load('./a.json');",
      "const load = module.createRequire(import.meta.url);\nx.load('b'); require('./a.json');",
    ],
    [
      "const load = typeof require === 'function' ? require : createRequire(import.meta.url);\nload('./a');",
      "const load = typeof require === 'function' ? require : createRequire(import.meta.url);\nrequire('./a');",
    ],
    [
      "const load = createRequire(import.meta.url);\nexport const f = (load) => load('mine');",
      "const load = createRequire(import.meta.url);\nexport const f = (load) => load('mine');",
    ],
    ["require(require('path').join(__dirname, 'a', 'b.js'));", 'require("./a/b.js");'],
    [
      "import { createRequire as make } from 'module';\nconst load = make(import.meta.url); load('os');",
      "import { createRequire as make } from 'module';\nconst load = make(import.meta.url); require('os');",
    ],
    ["const at = require.resolve('./a.js');", 'const at = require("cuervo:place/./a.js");'],
    [
      "readFileSync(path.join(__dirname, 'a', 'b')); readFileSync(new URL('./c', import.meta.url));",
      'readFileSync(require("cuervo:kept/./a/b")); readFileSync(new URL(require("cuervo:kept/./c"), import.meta.url));',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    ["require(__dirname + '/b'); require(`${__dirname}/c`);", 'require("./b"); require("./c");'],
  ])('lets the bundler see what %j requires', (source, expected) => {
    expect(requireAgain(source)).toBe(expected);
  });

  it.each([
    ["createRequire(new URL('./', base))('a');"],
    ["const text = `const require = createRequire(import.meta.url);\nrequire('./a')`;"],
    ["// const load = createRequire(import.meta.url); load('./a')\nload('./a');"],
    ["const at = path.join(__dirname, 'a') + new URL('./c', import.meta.url);"],
    ["require(path.join(__dirname, name)); require(__dirname + 'x'); require(base + '/b');"],
    ['const a: string = createRequire(import.meta.url)("./a");'],
  ])('leaves %j as it is', (source) => {
    expect(requireAgain(source)).toBe(source);
  });
});
