import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const made = ['**/node_modules/**', '**/target/**', '**/.cuervo/**'];

/** Parts of `src` that neither make nor prepare plugins. A new part counts until it stands here. */
export const notOfPlugins: readonly string[] = [
  'src/{ask,executor,guard,journal,memory,models,planner,policy,router,store,workspace}/**',
  'src/kernel/{ask,changes,doctor,memory,models}/**',
];

/**
 * What files of the repository hold, under this Node on this system.
 *
 * @param patterns globs from the root, which find no tests; one that finds nothing is a mistake
 * @param except of these, globs that do not count
 * @param more what else decides, such as versions of toolchains
 */
export function digestOf(
  patterns: readonly string[],
  { except = [], more = '' }: { except?: readonly string[]; more?: string } = {},
): string {
  const hash = createHash('sha256').update(
    `${process.version} ${process.platform} ${process.arch}`,
  );
  const excepted = new Set(except.flatMap((pattern) => filesOf(pattern)));
  for (const path of patterns.flatMap((pattern) => filesOf(pattern))) {
    if (excepted.has(path)) continue;
    const bytes = readFileSync(join(root, path));
    hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.update(`\n${more}`).digest('hex');
}

function filesOf(pattern: string): string[] {
  const exclude = pattern.includes('*') ? [...made, '**/*.test.ts'] : made;
  const found = globSync(pattern, { cwd: root, exclude })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
  if (found.length === 0) throw new Error(`no file is called ${pattern}`);
  return found;
}
