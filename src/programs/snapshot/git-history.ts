import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { RunnerCheck } from '../../contracts/content-gate.ts';
import { foldPath } from '../../contracts/protected-names.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { isBelow, realPath } from '../../lib/files/paths.ts';
import { fromBytes, lstatSync, rawPath } from '../../lib/files/raw-fs.ts';
import { sha256 } from '../../lib/sha256.ts';
import { configurationText, mayStart, repositoryAt, topOf } from '../git/git-settings.ts';
import { parseSettings, type Setting } from '../git/repository-folder.ts';
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

/** Configurations that one includes, with those that they include. */
const maxIncluded = 20;
const included = /^include(?:if\..*)?\.path$/s;

/** githooks(5) */
const hookName = /^(?:update|[a-z\d]+(?:-[a-z\d]+)+)$/;

/**
 * Tells which files of a workspace git runs or obeys because the configuration of their repository
 * names them: hooks in a folder of their own, what is included, monitors, filters, aliases.
 *
 * @param folders of roots, by name, absolute
 */
export function createRepositoryCheck(folders: Readonly<Record<string, string>>): RunnerCheck {
  return (path, root) => {
    const folder = folders[root] === undefined ? undefined : realPath(folders[root]);
    if (folder === undefined) return undefined;
    const segments = path.split('/').slice(0, -1);
    if (segments.includes('..')) return undefined;
    const [top, common] = [topOf(folder, segments), repositoryAt(folder, segments)];
    if (top === undefined || common === undefined) return undefined;
    const asked = foldPath(path);
    const isNamed = settingsOf(join(common, 'config'), folder).some(({ name, value, from }) => {
      const starts = included.test(name) ? [dirname(from)] : [top, dirname(from)];
      return wordsOf(value)
        .flatMap((word) => starts.flatMap((start) => spellings(resolve(start, word))))
        .filter((named) => isBelow(named, folder))
        .some((named) => {
          const below = foldPath(relative(folder, named));
          if (name !== 'core.hookspath') return asked === below;
          // Hooks load files from beside them, unless that is all of the work tree.
          if (!isBelow(top, named)) return isBelow(asked, below);
          return dirname(asked) === dirname(join(below, '_')) && hookName.test(basename(asked));
        });
    });
    return isNamed ? 'git' : undefined;
  };
}

/** Where a name lies, and where it leads to. */
function spellings(path: string): string[] {
  return [join(realPath(dirname(path)), basename(path)), realPath(path)];
}

/** Of a configuration and of those below the root that it includes: what may start something. */
function settingsOf(path: string, folder: string): (Setting & { from: string })[] {
  const settings: (Setting & { from: string })[] = [];
  const waiting = [path, join(dirname(path), 'config.worktree')];
  for (let at = 0; at < Math.min(waiting.length, maxIncluded); at += 1) {
    const from = waiting[at] as string;
    for (const setting of parseSettings(configurationText(from) ?? '')) {
      const isIncluded = included.test(setting.name);
      if (!isIncluded && !mayStart(setting.name)) continue;
      settings.push({ ...setting, from });
      const next = resolve(dirname(from), setting.value);
      if (isIncluded && isBelow(next, folder)) waiting.push(next);
    }
  }
  return settings;
}

/** The whole value, and what a shell would take it apart into. */
function wordsOf(value: string): string[] {
  return [value, ...value.split(/[\s"'`!;&|()<>=,]+/)].filter((word) => word !== '');
}
