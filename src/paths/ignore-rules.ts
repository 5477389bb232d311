import { parseRules, type RuleSet } from '../lib/text/rule-set.ts';

/**
 * Whether a folder with these names in it is one that git takes for a repository, whatever the
 * folder itself is called: git looks for one in every folder that it is started in and above, and
 * obeys its configuration and its hooks. Objects and refs are enough: a folder that others share by
 * their `commondir` needs no HEAD.
 *
 * @param has whether a name stands in the folder
 */
export function isGitDirectory(has: (name: string) => boolean): boolean {
  return (has('objects') && has('refs')) || (has('HEAD') && has(pointerOfGit));
}

/** Names in such a folder that git obeys. */
export const obeyedOfGit: ReadonlySet<string> = new Set(['config', 'config.worktree', 'hooks']);

/** The file of such a folder that points to a configuration elsewhere. */
export const pointerOfGit = 'commondir';

/** Rules of one file, and those of the same kind that stand above it. */
type RuleLevel = {
  rules: RuleSet;
  /** length of the path of its directory, with the slash */
  prefix: number;
  above: RuleLevel | undefined;
};

/**
 * What holds in a directory. As in ripgrep each kind outranks the next at every level,
 * and within a kind the deepest file that says something decides.
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
 * For a directory that is entered although a rule ignores it, because a stronger rule keeps
 * it or because it was asked for by name: that rule must not take all that is inside.
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
