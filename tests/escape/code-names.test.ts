import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { withCoreName, withFunctions, withImport, withTool } from './guests/code-names/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
/** Would write a file if any of it were ever run as code, wherever that is. */
const code = "require('fs').writeFileSync('planted','')";
const planted = () =>
  [place.dir, place.work, '/', process.cwd()].some((dir) => existsSync(join(dir, 'planted')));

escapeCase('names that would be code', {
  denied: [
    [
      'an import whose name closes a string and a call is refused with exit 6',
      async () => {
        for (const name of [
          "url=<https://x.y/');process.exit(0);//>",
          `url=<https://x.y/*/${code}/*>`,
          'unlocked-dep=<a:b@{>=1.0.0}>',
          `url=<https://x.y/>,integrity=<sha256-${'A'.repeat(43)}=>`,
        ]) {
          await expectRefused(
            place,
            await withImport(name),
            /which is not a plain|malformed|cannot be transpiled/,
          );
        }
        expect(planted()).toBe(false);
      },
    ],
    [
      'nor does a name of a core module close one, or become what an object inherits from',
      async () => {
        for (const name of [
          `a'];process.exit(0);['`,
          `a'+process.exit(0)+'`,
          `a': ${code}, 'b`,
          "a\\'];//",
          'a\\',
          '__proto__',
        ]) {
          await expectRefused(
            place,
            await withCoreName(name),
            /would be code|cannot be transpiled|holds the unprintable/,
          );
        }
        expect(planted()).toBe(false);
      },
    ],
    [
      'nor is one a text that is changed in the code around it',
      async () => {
        for (const name of ['sort: Math.random()', 'a instanceBuffers.set(nextBufID, buffer);']) {
          await expectRefused(place, await withCoreName(name), /as code around it is written/);
        }
      },
    ],
    [
      'a tool with such a name, or one of the engine, is refused with exit 6',
      async () => {
        for (const name of [
          `');${code};//`,
          '__proto__',
          'a.b',
          '../../x',
          'A',
          '',
          'x'.repeat(200),
          'a\nb',
        ]) {
          await expectRefused(place, await withTool(name), /describe|tool/);
        }
        expect(planted()).toBe(false);
      },
    ],
  ],
  control: [
    'a tool called `constructor` is a tool like any other, and most marks are parts of a core name',
    async () => {
      await place.install(await withCoreName('a */ [b](c) {d} //'));
      await place.install(await withCoreName('sort: Math.sin()'));
      await place.install(await withTool('constructor'));
      expect(expectSuccess(await place.run('code-names.constructor', {}))).toBe(1);
      const ran = await installAndGo(place, await withTool('go'), 'code-names');
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});

/** Words of JavaScript, of its objects and modules, and of the code around a component. */
const words = [
  ...['await', 'yield', 'async', 'let', 'static', 'enum', 'implements', 'interface', 'package'],
  ...[
    'private',
    'protected',
    'public',
    'abstract',
    'as',
    'break',
    'case',
    'class',
    'const',
    'eval',
  ],
  ...['continue', 'debugger', 'delete', 'do', 'else', 'export', 'extends', 'false', 'for', 'if'],
  ...['function', 'import', 'in', 'instanceof', 'new', 'null', 'return', 'super', 'switch', 'this'],
  ...['throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with', 'undefined', 'of', 'from'],
  ...['nan', 'infinity', 'infinity-0', 'is-nan', 'e0', 'e1e1', 'x0', 'u0041', 'number-0', 'get'],
  ...['set', 'proto', 'prototype', 'symbol', 'object', 'global-this', 'length', 'name', 'caller'],
  ...['callee', 'apply', 'bind', 'call', 'meta', 'target', 'exports', 'module', 'require'],
  ...['process', 'trampoline0', 'realloc0', 'post-return0', 'memory0', 'instantiate', 'imports'],
  ...['then', 'catch', 'finally', 'default', 'to-json', 'constructor', 'to-string', 'value-of'],
  ...['has-own-property', 'is-prototype-of', 'property-is-enumerable', 'to-locale-string'],
  ...['arguments', 'exports0', 'JSON', 'URL', 'get-HTTP', 'x-1', 'a-b-c'],
];
escapeCase('words of JavaScript as names in WIT', {
  denied: [
    'two functions whose names differ by capitals alone are refused with exit 6',
    async () => {
      const file = await withFunctions(['x-1', 'y-1'], (bytes) => bytes.replaceAll('y-1', 'X-1'));
      await expectRefused(place, file, /two of its functions would be called x-1|conflicts with/);
    },
  ],
  control: [
    'each word is a function and a parameter like any other',
    async () => {
      expect(words.length).toBeGreaterThan(60);
      // A component offers a hundred tools at most.
      for (const some of [words.slice(0, 60), words.slice(60)]) {
        await place.install(await withFunctions(some));
        const inputs = some.map((word, index) => ({ [word]: index }));
        const tools = some.map((word) => `words.${word.toLowerCase()}`);
        const all = await runMany(place, tools, inputs, []);
        expect(all.map(({ content }) => content)).toEqual(some.map((_, index) => index));
      }
    },
  ],
});
