import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBelow } from '../exec/is-below.ts';

/** Bytes; a configuration is written by people and by git itself. */
const maxBytes = 256 * 1024;

/**
 * The text of the configuration of the repository that a folder lies in, read as data: no link is
 * followed, and nothing outside of the root is read.
 *
 * @param root absolute, a granted root
 * @param segments of the folder below it
 * @returns undefined where there is none
 */
export function readConfiguration(root: string, segments: readonly string[]): string | undefined {
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const entry = join(root, ...segments.slice(0, depth), '.git');
    const stats = lstatSync(entry, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const folder = stats.isFile() ? pointedFolder(entry) : entry;
    if (folder === undefined || !isBelow(folder, root)) return undefined;
    return textOf(join(folder, 'config'));
  }
  return undefined;
}

/** Of a work tree or a submodule: the folder that holds its configuration. */
function pointedFolder(file: string): string | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(textOf(file) ?? '')?.[1];
  if (pointer === undefined) return undefined;
  const folder = resolve(dirname(file), pointer);
  const common = textOf(join(folder, 'commondir'))?.trim();
  return common === undefined ? folder : resolve(folder, common);
}

function textOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // Not there or not to be read: git says what it makes of that.
    return undefined;
  }
}
