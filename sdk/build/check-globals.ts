import { type Node, parse } from 'acorn';
import { analyze } from 'periscopic';
import { BuildError } from './build-error.ts';

/** Globals of QuickJS in a component, as `Object.getOwnPropertyNames(globalThis)` lists them, and of the prelude. */
const quickJsGlobals = new Set(
  `Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError
  InternalError AggregateError SuppressedError Iterator Array parseInt parseFloat isNaN isFinite
  queueMicrotask decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape Infinity
  NaN undefined eval Number Boolean String Math Reflect Symbol DisposableStack globalThis BigInt
  Date RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray
  Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array
  Float16Array Float32Array Float64Array DataView Promise AsyncDisposableStack WeakRef
  FinalizationRegistry DOMException btoa atob arguments
  TextEncoder TextDecoder structuredClone console`.split(/\s+/),
);

/** What to do instead, for the globals that authors reach for most. */
const advice: Readonly<Record<string, string>> = {
  fetch: 'use the capability http',
  setTimeout: 'tools are plain functions: there is nothing to wait for',
  setInterval: 'tools are plain functions: there is nothing to wait for',
  process: 'a plugin has no environment and no arguments',
  require: 'write import',
  Buffer: 'use Uint8Array and TextEncoder',
  crypto: 'use the capability random, or a library for hashes',
  performance: 'use the capability clock',
  URL: 'bundle a library for it',
};

/**
 * What the engine lacks fails here, by its name, and not at run time as a trap. A name
 * that the code asks for with `typeof` or as a property of `globalThis` is its own business.
 *
 * @throws {BuildError}
 */
export function checkGlobals(bundle: string): void {
  const tree = parse(bundle, { ecmaVersion: 'latest', sourceType: 'module' });
  const { globals } = analyze(tree as never);
  const guarded = namesAskedFor(tree);
  const own = namesOverlooked(tree);
  const missing = [...globals.keys()].filter(
    (name) => !quickJsGlobals.has(name) && !guarded.has(name) && !own.has(name),
  );
  if (missing.length === 0) return;
  const uses = missing.map((name) => {
    const instead = advice[name];
    return instead === undefined ? name : `${name} (${instead})`;
  });
  throw new BuildError(
    `the plugin uses what a QuickJS component does not have: ${uses.join(', ')}; ` +
      "--engine starlingmonkey has the web's own APIs, in a component of 12 MB",
  );
}

/** Whether any part of the bundle names `console`, which is there and may lead nowhere. */
export function usesConsole(bundle: string): boolean {
  const tree = parse(bundle, { ecmaVersion: 'latest', sourceType: 'module' });
  return analyze(tree as never).globals.has('console');
}

type Name = { name?: string };

/** The analysis takes names of `import * as name`, `x = class name {}` and `new.target` for globals. */
function namesOverlooked(tree: Node): Set<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    const { local, id, meta, property } = node as {
      local?: Name;
      id?: Name | null;
      meta?: Name;
      property?: Name;
    };
    if (node.type === 'ImportNamespaceSpecifier') add(names, local);
    if (node.type === 'ClassExpression') add(names, id);
    if (node.type === 'MetaProperty' && meta?.name === 'new') {
      add(names, meta);
      add(names, property);
    }
  });
  return names;
}

/** `typeof name`, `globalThis.name`. */
function namesAskedFor(tree: Node): Set<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    const { operator, argument, object, property } = node as {
      operator?: string;
      argument?: Name;
      object?: Name;
      property?: Name;
    };
    if (node.type === 'UnaryExpression' && operator === 'typeof') add(names, argument);
    if (node.type === 'MemberExpression' && object?.name === 'globalThis') add(names, property);
  });
  return names;
}

function add(names: Set<string>, found: Name | null | undefined): void {
  if (found?.name !== undefined) names.add(found.name);
}

function visit(value: unknown, enter: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') enter(value as Node);
  for (const child of Object.values(value)) visit(child, enter);
}
