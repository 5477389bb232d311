import { createRuleSet, type RuleSet } from '../../../lib/text/rule-set.ts';
import { fsLimits } from '../../paths/fs-limits.ts';
import { HostFailure } from '../../paths/host-failure.ts';
import { showPath } from '../../paths/parse-path.ts';
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
 * directory that matches stands for all below it. A `!` in `include` is one more `exclude`.
 *
 * @throws {HostFailure} `limit` for too many or too long globs
 */
export function createGlobFilter(
  include: readonly string[],
  exclude: readonly string[],
): GlobFilter {
  const globs = checkedGlobs(include);
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const included = ruleSetOf(globs.filter((glob) => !glob.startsWith('!')));
  const excluded = ruleSetOf([...checkedGlobs(exclude), ...unwanted]);
  return {
    includesAll: included === undefined,
    includes: (path, name, isDirectory) => included?.verdict(path, name, isDirectory) === true,
    excludes: (path, name, isDirectory) => excluded?.verdict(path, name, isDirectory) === true,
  };
}

function ruleSetOf(globs: readonly string[]): RuleSet | undefined {
  return globs.length === 0 ? undefined : createRuleSet(globs);
}

function checkedGlobs(globs: readonly string[]): string[] {
  if (globs.length > fsLimits.globs) throw tooMany(globs.length);
  return globs.flatMap((glob) => {
    if (glob === '' || glob.startsWith('#')) {
      throw new HostFailure('invalid', `glob ${showPath(glob)} matches nothing`);
    }
    if (glob.length > fsLimits.globCharacters) {
      const text = `a glob has ${glob.length} characters, limit ${fsLimits.globCharacters}`;
      throw new HostFailure('limit', text);
    }
    const expanded = expandBraces(glob, fsLimits.globs);
    if (expanded === undefined) throw tooMany(`over ${fsLimits.globs}`);
    return expanded;
  });
}

function tooMany(count: number | string): HostFailure {
  return new HostFailure('limit', `${count} globs, limit ${fsLimits.globs}`);
}
