import { fstatSync, lstatSync, readSync } from 'node:fs';
import { createRuleSet, type RuleSet } from '../lib/text/rule-set.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { atName, closeName, directoryFlags, fileFlags, openName } from '../paths/open-name.ts';
import { showPath } from '../paths/parse-path.ts';
import { HostFailure, isLocalFailure } from '../paths/system-failure.ts';

/**
 * Expands `{a,b}` as shells and ripgrep do; gitignore itself has no such thing. A brace
 * without a comma or without its partner stands for itself, as does `\{`.
 *
 * @param limit how many globs may come out
 * @returns undefined when there would be more
 */
export function expandBraces(glob: string, limit: number): string[] | undefined {
  const pending = [glob];
  const done: string[] = [];
  while (pending.length > 0) {
    if (pending.length + done.length > limit) return undefined;
    const next = pending.pop()!;
    const group = findGroup(next);
    if (group === undefined) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, group.start);
    const after = next.slice(group.end + 1);
    for (const choice of group.choices.toReversed()) pending.push(before + choice + after);
  }
  return done;
}

type Group = { start: number; end: number; choices: string[] };

/** The first group that has a comma at its own level. */
function findGroup(glob: string): Group | undefined {
  for (let start = glob.indexOf('{'); start >= 0; start = glob.indexOf('{', start + 1)) {
    if (glob[start - 1] === '\\') continue;
    const group = readGroup(glob, start);
    if (group !== undefined && group.choices.length > 1) return group;
  }
  return undefined;
}

function readGroup(glob: string, start: number): Group | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at += 1) {
    const character = glob[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      choices.push(glob.slice(from, at));
      from = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      choices.push(glob.slice(from, at));
      return { start, end: at, choices };
    }
  }
  return undefined;
}

/** True when a directory holds an entry of that name, of whatever kind. */
export function hasEntry(directoryFd: number, name: string): boolean {
  const look = (location: string | Buffer) => lstatSync(location, { throwIfNoEntry: false });
  return atName(directoryFd, name, look) !== undefined;
}

/**
 * The text of a small file below a directory, links not followed.
 *
 * @param path a name, or names joined by `/`
 * @returns undefined when it is missing, no regular file, or over 1 MiB
 */
export function readRuleFile(directoryFd: number, path: string): string | undefined {
  const slash = path.indexOf('/');
  const name = slash < 0 ? path : path.slice(0, slash);
  let fd: number | undefined;
  try {
    fd = openName(directoryFd, name, slash < 0 ? fileFlags : directoryFlags);
    return slash < 0 ? readSmall(fd) : readRuleFile(fd, path.slice(slash + 1));
  } catch (thrown) {
    if (!isLocalFailure(thrown)) throw thrown;
    return undefined;
  } finally {
    if (fd !== undefined) closeName(fd);
  }
}

function readSmall(fd: number): string | undefined {
  const { size } = fstatSync(fd);
  if (size > fsLimits.ignoreFileBytes) return undefined;
  const bytes = Buffer.alloc(size);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, size, 0));
}

/** The start of a walk, scan or tally, and the names of its results. */
export type SearchPlace = {
  /** name of the root */
  root: string;
  rootFd: number;
  /**
   * whether the process may read the root by the path it has: it then opens files from inside of
   * their folders. False where a root was inherited or names are reached by path
   */
  enters: boolean;
  /** the start, all links resolved, relative to the root */
  start: readonly string[];
  /** whether the time for walks of this call is used up; asked often, so that it answers fast */
  isOver?(): boolean;
  isWithheld(path: string): boolean;
  /** @param path relative to the root, at or below the start */
  shownPath(path: string): string;
};

/** Decides by the globs of one call; paths are relative to the directory that is walked. */
export type GlobFilter = {
  /** true when `include` is empty: everything is in, unless excluded */
  includesAll: boolean;
  includes(path: string, name: string, isDirectory: boolean): boolean;
  excludes(path: string, name: string, isDirectory: boolean): boolean;
};

/**
 * Globs as in a .gitignore, and `{a,b}`: without a slash they match at any depth, and a directory
 * that matches stands for all below it. A `!` in `include` is one more `exclude`. Names that exist
 * as written are no globs; others such as `[id].tsx` are tried as both.
 *
 * @param isThere whether a path below the directory that is walked is one
 * @throws {HostFailure} `limit` for too many or too long globs
 */
export function createGlobFilter(
  include: readonly string[],
  exclude: readonly string[],
  isThere: (path: string) => boolean = () => false,
): GlobFilter {
  const globs = checkedGlobs(include, isThere);
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const included = ruleSetOf(globs.filter((glob) => !glob.startsWith('!')));
  const excluded = ruleSetOf([...checkedGlobs(exclude, isThere), ...unwanted]);
  return {
    includesAll: included === undefined,
    includes: (path, name, isDirectory) => included?.verdict(path, name, isDirectory) === true,
    excludes: (path, name, isDirectory) => excluded?.verdict(path, name, isDirectory) === true,
  };
}

function ruleSetOf(globs: readonly string[]): RuleSet | undefined {
  return globs.length === 0 ? undefined : createRuleSet(globs);
}

function checkedGlobs(globs: readonly string[], isThere: (path: string) => boolean): string[] {
  if (globs.length > fsLimits.globs) throw tooMany(globs.length);
  return globs.flatMap((glob) => {
    if (glob.length > fsLimits.globCharacters) {
      const text = `a glob has ${glob.length} characters, limit ${fsLimits.globCharacters}`;
      throw new HostFailure('limit', text);
    }
    return readings(glob, isThere).flatMap((reading) => {
      if (reading === '' || reading.startsWith('#')) {
        throw new HostFailure('invalid', `glob ${showPath(glob)} matches nothing`);
      }
      const expanded = expandBraces(reading, fsLimits.globs);
      if (expanded === undefined) throw tooMany(`over ${fsLimits.globs}`);
      return expanded;
    });
  });
}

/** Signs of a glob; each means itself behind a backslash. */
const special = /[\\*?[\]{}]|^[!#]/g;
const paired = /[[\]{}]/g;

/**
 * The readings of a glob: its first names literally as far as they exist, the rest as a glob, and
 * also literally if it has brackets in pairs.
 */
function readings(glob: string, isThere: (path: string) => boolean): string[] {
  const written = glob.replace(/^\.\/+/, '/');
  const names = written.split('/');
  const count = names.findLastIndex((_, index) => {
    const path = names
      .slice(0, index + 1)
      .join('/')
      .replace(/^\//, '');
    return path.search(special) >= 0 && isThere(path);
  });
  if (count < 0 && written.startsWith('!')) {
    return readings(written.slice(1), isThere).map((reading) => `!${reading}`);
  }
  const path = names
    .slice(0, count + 1)
    .join('/')
    .replace(special, '\\$&');
  const rest = written.slice(names.slice(0, count + 1).join('/').length);
  const isName = rest.search(paired) >= 0 && !rest.includes('\\');
  return [...new Set([rest, ...(isName ? [rest.replace(paired, '\\$&')] : [])])].map(
    (each) => path + each,
  );
}

function tooMany(count: number | string): HostFailure {
  return new HostFailure('limit', `${count} globs, limit ${fsLimits.globs}`);
}
