import type { Plugin } from 'esbuild';

/** Modules of Node that take milliseconds to load and that many commands never call. */
const late =
  /^node:(?:child_process|crypto|dns\/promises|fs\/promises|net|readline|readline\/promises|stream\/promises|timers\/promises|v8|worker_threads|zlib)$/;

/** What `node:util` loads when it is first read, though it looks like a plain value. */
const lazy = new Set(['diff', 'MIMEParams', 'MIMEType', 'parseArgs', 'setTraceSigInt']);

/**
 * Has a bundle load modules of Node without `import`, which reads each of their exports and so loads
 * what stands behind it: `node:fs` alone brings eighteen others. For the late ones a proxy stands for
 * each export, and the module is loaded when one is used.
 */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late', sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({ contents: standIn(path) }));
  },
};

/** A source with the exports of a module. */
function standIn(path: string): string {
  const module = process.getBuiltinModule(path) as Record<string, unknown>;
  const isLate = (name: string): boolean => late.test(path) || loadsMore(module, name);
  const lines = Object.keys(module).map((name) => {
    const made = isLate(name) ? `late('${name}')` : `(() => load().${name})()`;
    return `export const ${name} = /* @__PURE__ */ ${made};`;
  });
  const all = late.test(path) ? 'new Proxy({}, { get: (_, name) => load()[name] })' : 'load()';
  return `const load = () => process.getBuiltinModule('${path}');
    const late = (name) =>
      new Proxy(function () {}, {
        apply: (_, self, args) => Reflect.apply(load()[name], self, args),
        construct: (_, args) => Reflect.construct(load()[name], args),
        get: (_, key) => load()[name][key],
      });
    export default /* @__PURE__ */ ${all};
    ${lines.join('\n')}`;
}

/** Node loads a class, function or module like `fs.ReadStream` or `fs.promises` when it is first read. */
function loadsMore(module: Record<string, unknown>, name: string): boolean {
  if (lazy.has(name)) return true;
  const { get } = Object.getOwnPropertyDescriptor(module, name) ?? {};
  return get !== undefined && (typeof module[name] === 'function' || name === 'promises');
}
