import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { licencesOf } from './licences.ts';

/** Packages that plugins are bundled with, for where no folder `node_modules` has them. */
const libraries = ['valibot', '@valibot/to-json-schema'];

/**
 * What lies in `dist` beside the bundles: the libraries of plugins, and the licences of all that is in
 * the bundles.
 */
export function writeBesideBundles(root: string, bundles: readonly Metafile[]): void {
  const dist = join(root, 'dist');
  for (const name of libraries) {
    for (const file of ['package.json', 'dist/index.mjs']) {
      const target = join(dist, 'libraries', name, file);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, 'node_modules', name, file), target);
    }
  }
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), licencesOf(root, bundles));
}
