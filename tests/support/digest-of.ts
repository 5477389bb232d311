import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * What files of the repository hold, under this Node on this system.
 *
 * @param patterns globs from the root, which find no tests; one that finds nothing is a mistake
 * @param more what else decides, such as versions of toolchains
 */
export function digestOf(patterns: readonly string[], more = ''): string {
  const hash = createHash('sha256').update(
    `${process.version} ${process.platform} ${process.arch}`,
  );
  for (const pattern of patterns) {
    const exclude = ['**/node_modules/**', '**/target/**', '**/.cuervo/**'];
    if (pattern.includes('*')) exclude.push('**/*.test.ts');
    const found = globSync(pattern, { cwd: root, exclude })
      .filter((path) => statSync(join(root, path)).isFile())
      .sort();
    if (found.length === 0) throw new Error(`no file is called ${pattern}`);
    for (const path of found) {
      const bytes = readFileSync(join(root, path));
      hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.update(`\n${more}`).digest('hex');
}
