import { parseRules, type RuleSet } from '../lib/text/rule-set.ts';

/**
 * Whether git takes a folder with these names for a repository, whatever the folder's own name. Git
 * looks for a repository in its working folder and all folders above, and obeys its configuration
 * and hooks. Objects and refs are enough: a folder that others share by `commondir` needs no HEAD.
 *
 * @param has whether a name stands in the folder
 */
export function isGitDirectory(has: (name: string) => boolean): boolean {
  return (has('objects') && has('refs')) || (has('HEAD') && has(pointerOfGit));
}

/** Names in a repository folder that git obeys. */
export const obeyedOfGit: ReadonlySet<string> = new Set(['config', 'config.worktree', 'hooks']);

/** The file in a repository folder that points to a configuration elsewhere. */
export const pointerOfGit = 'commondir';

/** Rules of one file, and those of the same kind that stand above it. */
type RuleLevel = {
  rules: RuleSet;
  /** length of the path of its directory, with the slash */
  prefix: number;
  above: RuleLevel | undefined;
};

/**
 * The rules for a directory. As in ripgrep, each kind of file outranks the next at every level;
 * within a kind the deepest file with a matching rule decides.
 */
export type IgnoreState = {
  own: RuleLevel | undefined;
  ignore: RuleLevel | undefined;
  git: RuleLevel | undefined;
};

export const noIgnoreRules: IgnoreState = { own: undefined, ignore: undefined, git: undefined };

/** Reads a file of rules below the directory; undefined when there is none. */
export type ReadRules = (name: string) => string | undefined;

/**
 * The state inside a directory.
 *
 * @param directory path relative to the root, empty for the root itself
 * @param has names among its entries that matter here
 */
export function enterDirectory(
  state: IgnoreState,
  directory: string,
  has: (name: string) => boolean,
  read: ReadRules,
): IgnoreState {
  const prefix = directory === '' ? 0 : directory.length + 1;
  const add = (above: RuleLevel | undefined, name: string): RuleLevel | undefined => {
    const text = read(name);
    const rules = text === undefined ? undefined : parseRules(text);
    return rules === undefined ? above : { rules, prefix, above };
  };
  let { own, ignore, git } = state;
  if (has('.cuervoignore')) own = add(own, '.cuervoignore');
  if (has('.ignore')) ignore = add(ignore, '.ignore');
  // Rules of an outer repository do not reach into this one.
  if (has('.git')) git = add(undefined, '.git/info/exclude');
  if (has('.gitignore')) git = add(git, '.gitignore');
  return { own, ignore, git };
}

/** True: ignored; false: kept by a `!`; undefined: no rule speaks of it. */
export function ignoreVerdict(
  state: IgnoreState,
  path: string,
  name: string,
  isDirectory: boolean,
): boolean | undefined {
  return (
    levelVerdict(state.own, path, name, isDirectory) ??
    levelVerdict(state.ignore, path, name, isDirectory) ??
    levelVerdict(state.git, path, name, isDirectory)
  );
}

function levelVerdict(
  deepest: RuleLevel | undefined,
  path: string,
  name: string,
  isDirectory: boolean,
): boolean | undefined {
  for (let level = deepest; level !== undefined; level = level.above) {
    const relative = level.prefix === 0 ? path : path.slice(level.prefix);
    const verdict = level.rules.verdict(relative, name, isDirectory);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/**
 * Enters a directory that a rule ignores, because a stronger rule keeps it or a call names it: the
 * rule must not ignore everything inside.
 */
export function reopenDirectory(state: IgnoreState, directory: string): IgnoreState {
  const reopen = (level: RuleLevel | undefined): RuleLevel | undefined =>
    level === undefined
      ? undefined
      : {
          rules: level.rules.reopened(directory.slice(level.prefix)),
          prefix: level.prefix,
          above: reopen(level.above),
        };
  return { own: reopen(state.own), ignore: reopen(state.ignore), git: reopen(state.git) };
}
