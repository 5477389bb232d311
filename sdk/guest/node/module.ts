/** A plugin is one file: what its build found is in it, and nothing can be looked for later. */
function absent(name: string): never {
  const message = `Cannot find module '${name}': a plugin holds what its build found, so import it`;
  throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND' });
}

export const createRequire = (): object =>
  Object.assign((name: string) => absent(name), {
    resolve: absent,
    cache: {},
    extensions: {},
    main: undefined,
  });
export const builtinModules: readonly string[] = [];
export const isBuiltin = (): boolean => false;
export default { createRequire, builtinModules, isBuiltin };
