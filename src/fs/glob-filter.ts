import { createRuleSet, type RuleSet } from '../lib/text/rule-set.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { showPath } from '../paths/parse-path.ts';
import { expandBraces } from './expand-braces.ts';

/** Decides by the globs of one call; paths are relative to the directory that is walked. */
export type GlobFilter = {
  /** true when `include` is empty: everything is in, unless excluded */
  includesAll: boolean;
  includes(path: string, name: string, isDirectory: boolean): boolean;
  excludes(path: string, name: string, isDirectory: boolean): boolean;
};

/**
 * Globs as in a .gitignore, and `{a,b}`: without a slash they match at any depth, and a
 * directory that matches stands for all below it. A `!` in `include` is one more `exclude`. What is
 * there as it is written is a name and no glob, and `[id].tsx` is a name beside one.
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

/** What a glob may mean: its first names themselves, as far as they are there. */
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
