import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { namesIn } from '../../lib/files/folders.ts';
import { fromBytes, lstatSync, rawPath } from '../../lib/files/raw-fs.ts';
import { sha256 } from '../../lib/sha256.ts';
import { look } from './walk-root.ts';

/** Branches and tags; a repository with more of them is known by its first ones. */
const maxNames = 20_000;
/** Bytes of a `.git` that is a file; it holds one path. */
const maxPointerBytes = 8192;

/**
 * One text that changes when the history, the branches or the stash of a repository do. Nothing of
 * it is kept: git has its own way back.
 *
 * @param path absolute, of a `.git` folder or file
 */
export function gitHistory(path: string): string {
  const folder = folderOf(path);
  if (folder === undefined) return '';
  const seen: string[] = [];
  const pending = ['HEAD', 'ORIG_HEAD', 'packed-refs', 'refs', 'logs/HEAD', 'index'];
  // Grows while it is read: a folder may hold more names than a call has arguments.
  for (const at of pending) {
    if (seen.length >= maxNames) break;
    const stats = look(join(folder, at));
    if (stats === undefined) continue;
    if (stats.kind === 'directory')
      for (const name of namesIn(join(folder, at)).sort()) pending.push(`${at}/${name}`);
    // `git status` writes the index anew without staging anything; its size tells enough then.
    else if (at === 'index') seen.push(`${at} ${stats.size}`);
    else seen.push(`${at} ${stats.size} ${stats.mtimeNs} ${stats.ino}`);
  }
  return sha256(seen.join('\n'));
}

/** In a submodule or work tree `.git` is a file with the path of its repository. */
function folderOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return path;
  if (found.size > maxPointerBytes) return undefined;
  const pointer = /^gitdir: (.+)$/m.exec(fromBytes(readFileSync(rawPath(path))))?.[1];
  const folder = pointer === undefined ? undefined : resolve(dirname(path), pointer);
  const isFolder =
    folder !== undefined && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return isFolder === true ? folder : undefined;
}
