import type { Plugin } from 'esbuild';

/** Modules of Node that take milliseconds to load and that many commands never call. */
const late =
  /^node:(?:child_process|crypto|dns\/promises|fs\/promises|net|readline|readline\/promises|stream\/promises|timers\/promises|v8|worker_threads|zlib)$/;

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
  const names = Object.keys(process.getBuiltinModule(path) as object);
  const load = `const load = () => process.getBuiltinModule('${path}');`;
  if (!late.test(path)) {
    const lines = names.map(
      (name) => `export const ${name} = /* @__PURE__ */ (() => load().${name})();`,
    );
    return `${load}\nexport default /* @__PURE__ */ load();\n${lines.join('\n')}`;
  }
  const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ late('${name}');`);
  return `${load}
    const late = (name) =>
      new Proxy(function () {}, {
        apply: (_, self, args) => Reflect.apply(load()[name], self, args),
        construct: (_, args) => Reflect.construct(load()[name], args),
        get: (_, key) => load()[name][key],
      });
    export default /* @__PURE__ */ new Proxy({}, { get: (_, name) => load()[name] });
    ${lines.join('\n')}`;
}
