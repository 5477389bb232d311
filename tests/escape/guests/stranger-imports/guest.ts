import { type WatPlugin, watGuest } from '../../support/wat-plugin.ts';

const plugin: WatPlugin = { name: 'stranger-imports', call: '(call $ok-number (i32.const 1))' };

/** Imports an interface of another package, `NAMESPACE:PACKAGE/INTERFACE@VERSION`. */
export const withInterface = (name: string): Promise<string> => {
  const [, packageName, interfaceName, version] = /^([^/]+)\/([^@]+)(@.+)?$/.exec(name) ?? [];
  return watGuest({
    ...plugin,
    world: `import ${name};`,
    packages: `package ${packageName}${version ?? ''} { interface ${interfaceName} { open: func(); } }`,
    imports: `(import "${name}" "open" (func))`,
  });
};

/** Imports a bare function of no interface. */
export const withFunction = (name: string): Promise<string> =>
  watGuest({
    ...plugin,
    world: `import %${name}: func();`,
    imports: `(import "$root" "${name}" (func))`,
  });

export const withNothing = (): Promise<string> => watGuest(plugin);
