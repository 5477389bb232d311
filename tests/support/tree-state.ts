import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Path -> kind, permissions and content of everything in a folder, without its `.git`. */
export function treeState(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.split('/')[0] !== '.git')
    .sort();
  return Object.fromEntries(paths.map((path) => [path, stateOf(join(folder, path))]));
}

function stateOf(path: string): string {
  const stats = lstatSync(path);
  const mode = stats.mode.toString(8);
  if (stats.isSymbolicLink()) return `${mode} ${readlinkSync(path)}`;
  if (!stats.isFile()) return mode;
  return `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
}
