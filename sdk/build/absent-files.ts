import { basename, resolve } from 'node:path';
import type { Message, Plugin } from 'esbuild';
import { packageOf } from './other-entries.ts';

/** Faults of packages: code that never runs may have them. */
export type AbsentFiles = {
  /** packages whose entry for bundlers lacks an export that is asked for */
  partial: Set<string>;
  /** as they are imported */
  modules: Set<string>;
  /** whole paths */
  files: Set<string>;
};

/** Texts of an error about a named import, and of a warning about a field of a namespace. */
export const noExport =
  /^(?:No matching export in "([^"]+)"|Import "\w+" will always be undefined because there is no matching export in "([^"]+)")/;

/** The name in that warning, and the file that lacks it. */
export const undefinedName =
  /^Import "(\w+)" will always be undefined because there is no matching export in "([^"]+)"/;

/** Takes note of what is wrong in a package; an author's own files are to be corrected. */
export function noteAbsent({ text, location }: Message, absent: AbsentFiles, folder: string): void {
  const [, imported, read] = noExport.exec(text) ?? [];
  const lacking = imported ?? read;
  const partial = lacking === undefined ? undefined : packageOf(resolve(folder, lacking));
  if (partial !== undefined) absent.partial.add(partial);
  const file = location === null ? undefined : resolve(folder, location.file);
  if (file === undefined || packageOf(file) === undefined) return;
  const [, missing] = /^Could not resolve "(.+)"$/.exec(text) ?? [];
  if (missing !== undefined) absent.modules.add(missing);
  else if (!/^(?:No |Could not |Cannot )/.test(text)) absent.files.add(file);
}

/** In their place are modules that throw as soon as they are run, as they would in Node. */
export function withoutAbsent(absent: AbsentFiles): Plugin {
  return {
    name: 'cuervo-absent-files',
    setup: (build) => {
      if (absent.modules.size + absent.files.size === 0) return;
      build.onResolve({ filter: /.*/ }, ({ path, importer }) =>
        absent.modules.has(path) && packageOf(importer) !== undefined
          ? { path, namespace: 'absent-module' }
          : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'absent-module' }, ({ path }) => ({
        contents: throwing(`Cannot find module '${path}'`),
      }));
      build.onLoad({ filter: /.*/ }, ({ path }) =>
        absent.files.has(path)
          ? { contents: throwing(`${basename(path)} is not JavaScript`) }
          : undefined,
      );
    },
  };
}

const throwing = (message: string): string =>
  `throw Object.assign(new Error(${JSON.stringify(message)}), { code: 'MODULE_NOT_FOUND' }); module.exports = {};`;
