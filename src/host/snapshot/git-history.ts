import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../lib/sha256.ts';

/** Branches and tags; a repository with more of them is known by its first ones. */
const maxNames = 20_000;

/**
 * One text that changes when the history, the branches or the stash of a repository do. Nothing of
 * it is kept: git has its own way back.
 *
 * @param path absolute, of a `.git` folder or file
 */
export function gitHistory(path: string): string {
  const seen: string[] = [];
  const pending = ['HEAD', 'ORIG_HEAD', 'packed-refs', 'refs', 'logs/HEAD', 'index'];
  while (seen.length < maxNames) {
    const at = pending.shift();
    if (at === undefined) break;
    const stats = lstatSync(join(path, at), { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isDirectory()) pending.push(...names(join(path, at)).map((name) => `${at}/${name}`));
    // `git status` writes the index anew without staging anything; its size tells enough then.
    else if (at === 'index') seen.push(`${at} ${stats.size}`);
    else seen.push(`${at} ${stats.size} ${stats.mtimeMs} ${stats.ino}`);
  }
  return sha256(seen.join('\n'));
}

function names(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    return [];
  }
}
