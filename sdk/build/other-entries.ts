import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BuildOptions, Metafile, Plugin, PluginBuild } from 'esbuild';
import { readIfPresent } from '../languages/read-if-present.ts';
import { freeNames } from './free-names.ts';

/**
 * The package that a file belongs to, by its path: of `…/node_modules/@a/b/x.js` it is `@a/b`.
 * Undefined for a file of no package.
 */
export function packageOf(path: string): string | undefined {
  const at = path.replaceAll('\\', '/').lastIndexOf('node_modules/');
  if (at < 0) return undefined;
  const [first = '', second = ''] = path.slice(at + 'node_modules/'.length).split(/[\\/]/);
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** What an import of a package names: of `@a/b/c` it is `@a/b`. */
function packageNamed(specifier: string): string | undefined {
  const found = /^(?:@[^/]+\/)?[^./@][^/]*/.exec(specifier);
  return found?.[0];
}

/** Packages whose file for browsers is a script that leaves its names to a page, and exports none. */
export function packagesOfScripts({ inputs }: Metafile, folder: string): string[] {
  const entries = Object.entries(inputs).flatMap(([file, { imports }]) =>
    imports
      .map(({ path }) => path)
      .filter((path) => inputs[path]?.format === 'cjs' && packageOf(path) !== packageOf(file)),
  );
  return [...new Set(entries)].flatMap((path) => {
    const name = packageOf(path);
    if (name === undefined) return [];
    const file = resolve(folder, path).replaceAll('\\', '/');
    const [root = ''] = file.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//) ?? [];
    return isForBrowsers(file, root) && !exportsAny(file) ? [name] : [];
  });
}

function isForBrowsers(file: string, root: string): boolean {
  const { browser } = JSON.parse(readIfPresent(`${root}package.json`) ?? '{}') as {
    browser?: unknown;
  };
  return typeof browser === 'string' && file.endsWith(browser.replace(/^\.?\//, '/'));
}

function exportsAny(file: string): boolean {
  try {
    return freeNames(readFileSync(file, 'utf8')).some(({ name }) =>
      /^(?:module|exports)$/.test(name),
    );
  } catch {
    // A file that is no module may be anything.
    return true;
  }
}

/**
 * Resolves imports of and in the given packages as Node does. A bundler has one set of conditions
 * for a build, so a second build, which makes nothing, stays open and is asked.
 */
export async function openOtherEntries(
  build: (options: BuildOptions) => Promise<unknown>,
  common: BuildOptions,
  packages: ReadonlySet<string> = new Set(),
): Promise<{ plugin: Plugin } & AsyncDisposable> {
  let other: PluginBuild | undefined;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let finished: Promise<unknown> | undefined;
  if (packages.size > 0) {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    finished = build({
      ...common,
      mainFields: ['main'],
      conditions: ['node', 'module'],
      stdin: { contents: 'import "cuervo:hold"', resolveDir: common.absWorkingDir ?? '.' },
      plugins: [
        {
          name: 'cuervo-hold',
          setup: (held) => {
            other = held;
            held.onResolve({ filter: /^cuervo:hold$/ }, ({ path }) => ({
              path,
              namespace: 'hold',
            }));
            held.onLoad({ filter: /.*/, namespace: 'hold' }, async () => {
              open();
              await released;
              return { contents: '' };
            });
          },
        },
      ],
    });
    await opened;
  }
  return {
    plugin: {
      name: 'cuervo-other-entries',
      setup: (main) => {
        if (packages.size === 0) return;
        main.onResolve(
          { filter: /.*/ },
          async ({ path, kind, resolveDir, importer, pluginData }) => {
            const isTheirs = [packageOf(importer), packageNamed(path)].some(
              (name) => name !== undefined && packages.has(name),
            );
            if (!isTheirs || pluginData === 'again' || path.includes(':')) return undefined;
            const found = await other?.resolve(path, { kind, resolveDir, importer });
            return found === undefined || found.errors.length > 0 ? undefined : found;
          },
        );
      },
    },
    [Symbol.asyncDispose]: async () => {
      release();
      await finished;
    },
  };
}
