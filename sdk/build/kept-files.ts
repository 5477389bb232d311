import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { PluginBuild } from 'esbuild';

/** Marks a path beside a module whose text goes into the bundle, for `readFileSync`. */
export const keptPrefix = 'cuervo:kept/';
/** Marks a path of which only the name is needed. */
export const placePrefix = 'cuervo:place/';

/**
 * Resolves what a package reads beside itself. A plugin has no folder, so such an import gives the
 * path that the file has in the plugin: `/NAME/lib/a.txt`.
 */
export function keptFiles(build: PluginBuild, folder: string, sdkFolder: string): void {
  build.onResolve(
    { filter: /^cuervo:(?:kept|place)\// },
    async ({ path, resolveDir, importer }) => {
      const [, namespace = '', wanted = ''] = /^cuervo:(\w+)\/(.*)$/s.exec(path) ?? [];
      const found = await build.resolve(wanted, { kind: 'require-call', resolveDir, importer });
      return { path: found.errors.length > 0 ? join(resolveDir, wanted) : found.path, namespace };
    },
  );
  build.onLoad({ filter: /.*/, namespace: 'place' }, ({ path }) => ({
    contents: `module.exports = ${JSON.stringify(placeIn(path, folder))};`,
  }));
  build.onLoad({ filter: /.*/, namespace: 'kept' }, ({ path }) => ({
    contents: `module.exports = require('./guest/node/kept-files.ts').keep(${JSON.stringify(placeIn(path, folder))}, ${JSON.stringify(textOf(path))});`,
    resolveDir: sdkFolder,
  }));
}

function placeIn(path: string, folder: string): string {
  const whole = path.replaceAll('\\', '/');
  const [, inPackage] = /^.*\/node_modules\/(.+)$/.exec(whole) ?? [];
  return `/${inPackage ?? relative(folder, path).replaceAll('\\', '/')}`;
}

/** Null for a folder or a missing file. A file that is not UTF-8 has one character for each byte. */
function textOf(path: string): { text: string } | { bytes: string } | null {
  if (!existsSync(path) || !statSync(path).isFile()) return null;
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? { bytes: bytes.toString('latin1') } : { text };
}
