import { readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import type { PluginBuild } from 'esbuild';

/** `node:fs`, and the same as older packages write it: `fs`, `fs/promises`. */
const nodeModule = new RegExp(
  `^(?:node:.*|${builtinModules.filter((name) => /^[a-z]/.test(name)).join('|')})/?$`,
);

/** Modules that touch nothing outside of the program, as `@jspm/core` has them for browsers. */
export const pureModules: ReadonlySet<string> = new Set([
  ...['assert', 'assert/strict', 'buffer', 'constants', 'diagnostics_channel', 'events', 'path'],
  ...['path/posix', 'path/win32', 'punycode', 'querystring', 'stream', 'string_decoder', 'sys'],
  ...['url', 'util', 'util/types', 'zlib'],
]);

/** Modules that the SDK has in a form of its own, below `guest/node`. */
const own: ReadonlySet<string> = new Set([
  ...['async_hooks', 'crypto', 'module', 'os', 'perf_hooks', 'process', 'stream/promises'],
  ...['timers', 'timers/promises', 'tty'],
]);

/** What to use instead of a module that is a stub. */
const instead: ReadonlyMap<string, string> = new Map([
  ['fs', 'use the capabilities fs and fs-write'],
  ['fs/promises', 'use the capabilities fs and fs-write'],
  ['http', 'use the capability http'],
  ['https', 'use the capability http'],
  ['http2', 'use the capability http'],
  ['child_process', 'use the capability exec'],
]);

/** Values of Node that are the same everywhere. */
const constants: ReadonlySet<string> = new Set([
  'constants',
  'STATUS_CODES',
  'METHODS',
  'isMainThread',
]);

const require = createRequire(import.meta.url);

/**
 * Modules of Node in a bundle: pure ones from a library, others as stubs that throw by name as soon
 * as one of their functions is called. A package of that name which the author installed goes first.
 */
export function bundleNodeModules(build: PluginBuild, sdkFolder: string): void {
  build.onResolve(
    { filter: nodeModule },
    async ({ path, pluginData, kind, resolveDir, importer }) => {
      if (pluginData === 'again') return undefined;
      const name = path.replace(/^node:/, '').replace(/\/$/, '');
      const isOurs = importer.includes('@jspm') || importer.startsWith(sdkFolder);
      if (!path.startsWith('node:') && !isOurs) {
        const found = await build.resolve(path, {
          kind,
          resolveDir,
          importer,
          pluginData: 'again',
        });
        if (found.errors.length === 0) return found;
      }
      // `require` gives the default export, which is a class for some.
      if (kind === 'require-call' && (pureModules.has(name) || own.has(name))) {
        return { path: name, namespace: 'node-required', sideEffects: false };
      }
      return { ...(await place(name)), sideEffects: false };
    },
  );

  async function place(name: string): Promise<{ path: string; namespace?: string }> {
    if (!own.has(name) && !pureModules.has(name)) return { path: name, namespace: 'node-stub' };
    const path = await fileOf(name);
    return lackedBy(path, name).length === 0 ? { path } : { path: name, namespace: 'node-more' };
  }

  async function fileOf(name: string): Promise<string> {
    if (own.has(name)) {
      return join(sdkFolder, 'guest/node', `${name.replace('/', '-').replace('_', '-')}.ts`);
    }
    const { path, errors } = await build.resolve(`@jspm/core/nodelibs/${name}`, {
      kind: 'import-statement',
      resolveDir: sdkFolder,
    });
    if (errors.length > 0) throw new Error(`@jspm/core has no ${name}`);
    return path;
  }

  // The library's own `process` looks at a page as soon as it is there.
  build.onLoad({ filter: /@jspm[\\/]core[\\/].+[\\/]chunk-[^\\/]+\.js$/ }, ({ path }) => {
    const isProcess = /^export \{ process as p \};$/m.test(readFileSync(path, 'utf8'));
    return isProcess
      ? {
          contents: "export { process as p } from './guest/node/process.ts';",
          resolveDir: sdkFolder,
        }
      : undefined;
  });
  build.onLoad({ filter: /.*/, namespace: 'node-required' }, ({ path }) => ({
    contents: requiredOf(path),
    resolveDir: sdkFolder,
  }));
  build.onLoad({ filter: /.*/, namespace: 'node-more' }, async ({ path: name }) => ({
    contents: moreOf(name, await fileOf(name)),
    loader: 'js',
    resolveDir: sdkFolder,
  }));
  build.onResolve({ filter: /^cuervo:node\// }, async ({ path }) => ({
    ...(await place(path.slice('cuervo:node/'.length))),
    sideEffects: false,
  }));
  build.onLoad({ filter: /.*/, namespace: 'node-stub' }, ({ path }) => ({
    contents: stubOf(path),
    loader: 'js',
    resolveDir: sdkFolder,
  }));
}

/** Names that our own file beside the library's has. */
const added: ReadonlyMap<string, readonly string[]> = new Map([
  ['url', ['URLSearchParams']],
  ['util', ['stripVTControlCharacters', 'styleText', 'toUSVString', 'isDeepStrictEqual']],
]);

/** Modules of Node that grew since the library was made of them, and those that we have in part. */
const grown: ReadonlySet<string> = new Set([
  ...['assert', 'assert/strict', 'buffer', 'diagnostics_channel', 'events', 'path'],
  ...['querystring', 'stream', 'string_decoder', 'url', 'util', 'util/types', 'zlib', ...own],
]);

/** The library takes another class for the module itself. */
const defaults: ReadonlyMap<string, string> = new Map([['stream', 'Stream as default']]);

/** What `require` gives: code looks there for what may be missing, so that it has no stubs. */
function requiredOf(name: string): string {
  const own = (added.get(name) ?? []).map((each) => `${each}: found.${each}`);
  const whole = own.length === 0 ? 'whole' : `{ ...whole, ${own.join(', ')} }`;
  return `const found = require('cuervo:node/${name}'), whole = found.default ?? found; module.exports = ${whole};`;
}

/** Exports of Node's module that the library's file does not have. */
function lackedBy(file: string, name: string): string[] {
  if (!grown.has(name)) return [];
  const text = readFileSync(file, 'utf8');
  const lists = [...text.matchAll(/^export (?:const )?\{([^}]*)\}/gm)];
  const there = new Set([
    ...lists.flatMap(([, list = '']) =>
      list.split(',').map((each) => each.trim().split(/\s+/).at(-1)),
    ),
    ...[...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, each]) => each),
  ]);
  // A file that passes on what another has.
  if (/^export \* from/m.test(text)) return [];
  return stubNames(name).filter((each) => !there.has(each));
}

/** The library's module with what it lacks: functions of our own, and stubs that throw by name. */
function moreOf(name: string, file: string): string {
  const from = JSON.stringify(file);
  const own = added.get(name) ?? [];
  const stubs = lackedBy(file, name).filter((each) => !own.includes(each));
  return [
    `export * from ${from};`,
    `export { ${defaults.get(name) ?? 'default'} } from ${from};`,
    ...(own.length === 0
      ? []
      : [`export { ${own.join(', ')} } from './guest/node/${name}-more.ts';`]),
    stubLine(name),
    ...stubs.map((each) => `const _${each} = ${valueText(name, each)};`),
    ...(stubs.includes('constants')
      ? [`import whole from ${from};`, 'whole.constants ??= _constants;']
      : []),
    `export { ${stubs.map((each) => `_${each} as ${each}`).join(', ')} };`,
  ].join('\n');
}

/** A module with the exports of Node's, whose functions throw by their name. */
function stubOf(name: string): string {
  const lines = [stubLine(name)];
  const names = stubNames(name);
  for (const each of names) lines.push(`const _${each} = ${valueText(name, each)};`);
  lines.push(`module.exports = { ${names.map((each) => `${each}: _${each}`).join(', ')} };`);
  if (name === 'fs') lines.push(readsKept);
  return lines.join('\n');
}

/** What the build found beside a module can be read. */
const readsKept =
  "const { readKept } = require('./guest/node/kept-files.ts'); module.exports.readFileSync = (path, how) => readKept(path, how) ?? _readFileSync();";

function stubLine(name: string): string {
  const helps = instead.get(name) ?? 'a plugin has host calls in its place';
  return `const stub = (name) => function () { throw new TypeError(\`${name}.\${name} does not exist in a plugin: ${helps}\`); };`;
}

function stubNames(name: string): string[] {
  return Object.keys(exportsOf(name)).filter(
    (each) => /^[A-Za-z_$][\w$]*$/.test(each) && each !== 'default',
  );
}

function exportsOf(name: string): object {
  try {
    return require(`node:${name}`) as object;
  } catch {
    // Unknown to this Node, or behind a flag.
    return {};
  }
}

function valueText(module: string, name: string): string {
  const value = (exportsOf(module) as Record<string, unknown>)[name];
  if (constants.has(name)) return JSON.stringify(value);
  if (typeof value === 'function') return `/* @__PURE__ */ stub(${JSON.stringify(name)})`;
  if (typeof value !== 'object' || value === null) return 'undefined';
  const inner = Object.entries(value).filter(([, each]) => typeof each === 'function');
  const fields = inner.map(
    ([key]) => `${JSON.stringify(key)}: stub(${JSON.stringify(`${name}.${key}`)})`,
  );
  return `{ ${fields.join(', ')} }`;
}
