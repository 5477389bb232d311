import ignore from 'ignore';
import { fitsSteps } from './glob.ts';

/** UTF-8 bytes of the longest path of Linux. */
const maxRuleLength = 4096;

/** The patterns of one ignore file, or of one list of globs. */
export type RuleSet = {
  /**
   * The verdict of the last matching pattern on a path, without its parents: true for ignored,
   * false for kept by a `!`, undefined when none matches.
   *
   * @param path relative to the directory of the rules
   */
  verdict(path: string, name: string, isDirectory: boolean): boolean | undefined;
  /** The same rules without those that ignore this directory or a parent of it. */
  reopened(directory: string): RuleSet;
};

/**
 * Lines that are longer than any path are left out: the engine makes no expression of them.
 *
 * @returns undefined when the text holds no rule
 */
export function parseRules(text: string): RuleSet | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const rules = lines.filter(
    (line) => line.length <= maxRuleLength && line.trim() !== '' && !line.startsWith('#'),
  );
  return rules.length === 0 ? undefined : createRuleSet(rules);
}

const literalRule = /^(\/?)([\w.@+~,=-]+)(\/?)$/;
const suffixRule = /^\*(\.[\w-]+)$/;

/**
 * Most rules are a plain name or `*.suffix`: those are looked up in sets. Where a `!`
 * makes the order matter, and for all other rules, `ignore` decides.
 */
export function createRuleSet(rules: readonly string[]): RuleSet {
  /** true where the rule is for directories only */
  const names = new Map<string, boolean>();
  const paths = new Map<string, boolean>();
  const suffixes = new Set<string>();
  const ordered = rules.some((rule) => rule.startsWith('!'));
  const others = ordered ? rules : rules.filter((rule) => !addPlainRule(rule));

  function addPlainRule(rule: string): boolean {
    const suffix = suffixRule.exec(rule)?.[1];
    if (suffix !== undefined) {
      suffixes.add(suffix);
      return true;
    }
    const [whole, anchor, name, slash] = literalRule.exec(rule) ?? [];
    if (whole === undefined || name === undefined) return false;
    const known = anchor === '/' ? paths : names;
    known.set(name, slash === '/' && known.get(name) !== false);
    return true;
  }

  function matchesPlainRule(path: string, name: string, isDirectory: boolean): boolean {
    const byName = names.get(name);
    if (byName !== undefined && (isDirectory || !byName)) return true;
    if (name.includes('.') && suffixes.has(name.slice(name.lastIndexOf('.')))) return true;
    const byPath = paths.get(path);
    return byPath !== undefined && (isDirectory || !byPath);
  }

  const matcher = others.length === 0 ? undefined : compile(others);
  return {
    verdict: (path, name, isDirectory) => {
      if (!ordered && matchesPlainRule(path, name, isDirectory)) return true;
      return matcher?.(path, isDirectory);
    },
    reopened: (directory) => createRuleSet(rulesThatKeep(rules, directory)),
  };
}

type Matcher = (path: string, isDirectory: boolean) => boolean | undefined;

/** The last rule that matches decides: rules of the library are asked together, deep ones one by one. */
function compile(rules: readonly string[]): Matcher {
  const matchers: Matcher[] = [];
  let start = 0;
  for (const [at, rule] of rules.entries()) {
    if (!isDeepRule(rule)) continue;
    if (at > start) matchers.push(matcherOf(rules.slice(start, at)));
    const deep = createDeepRule(rule);
    matchers.push((path, isDirectory) =>
      deep.matches(path, isDirectory) ? !deep.isNegation : undefined,
    );
    start = at + 1;
  }
  if (start < rules.length) matchers.push(matcherOf(rules.slice(start)));
  if (matchers.length === 1) return matchers[0] as Matcher;
  matchers.reverse();
  return (path, isDirectory) => {
    for (const matcher of matchers) {
      const verdict = matcher(path, isDirectory);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  };
}

function matcherOf(rules: readonly string[]): Matcher {
  const matcher = ignore({ ignorecase: false }).add(rules);
  return (path, isDirectory) => {
    const { ignored, unignored } = matcher.test(isDirectory ? `${path}/` : path);
    return ignored ? true : unignored ? false : undefined;
  };
}

function rulesThatKeep(rules: readonly string[], directory: string): readonly string[] {
  const names = directory.split('/');
  const parents = names.map((_, at) => names.slice(0, at + 1).join('/'));
  let kept = rules.filter((rule) => {
    const deep = isDeepRule(rule) ? createDeepRule(rule) : undefined;
    return deep?.isNegation !== false || !parents.some((parent) => deep.matches(parent, true));
  });
  for (;;) {
    const plain = kept.filter((rule) => !isDeepRule(rule));
    const matcher = ignore({ ignorecase: false }).add(plain);
    const pattern = matcher.test(`${directory}/`).rule?.pattern;
    if (pattern === undefined) return kept;
    kept = kept.filter((rule) => rule !== pattern);
  }
}

/** A rule of an ignore file in which more than one `**` stands for folders in between. */
export type DeepRule = {
  /** it begins with `!` */
  isNegation: boolean;
  /** @param path relative to the directory of the rule, its parents left out of account */
  matches(path: string, isDirectory: boolean): boolean;
};

const anyFolders = /^\*{2,}$/;
const betweenSlashes = /\/\*{2,}(?=\/)/g;

/**
 * Whether an expression could try the folders of a path for each of several `**` by turns, and on
 * a path that does not match all ways to share them out: with a dozen of them it never ends.
 */
export function isDeepRule(rule: string): boolean {
  return (rule.match(betweenSlashes)?.length ?? 0) > 1;
}

/** The same as the expression would say, in a time that grows with names of path times rule. */
function createDeepRule(rule: string): DeepRule {
  const isNegation = rule.startsWith('!');
  const pattern = withoutSpaces(isNegation ? rule.slice(1) : rule);
  const isForDirectories = pattern.endsWith('/');
  const names = pattern.replace(/^\//, '').replace(/\/$/, '').split('/');
  // At the end it stands for at least one name, elsewhere also for none.
  if (anyFolders.test(names.at(-1) as string)) names.push('*');
  const steps = names.map((name) => (anyFolders.test(name) ? undefined : nameTest(name)));
  return {
    isNegation,
    matches: (path, isDirectory) =>
      (isDirectory || !isForDirectories) && fits(steps, path.split('/')),
  };
}

type NameTest = (name: string) => boolean;

function fits(steps: readonly (NameTest | undefined)[], names: readonly string[]): boolean {
  return fitsSteps(steps, names.length, (test, at) => test(names[at] as string));
}

function nameTest(pattern: string): NameTest {
  const matcher = ignore({ ignorecase: false }).add(`/${pattern}`);
  return (name) => name !== '' && matcher.ignores(name);
}

/** Spaces at the end count where they are escaped. */
function withoutSpaces(pattern: string): string {
  const end = pattern.trimEnd();
  return end.length < pattern.length && end.endsWith('\\') ? `${end} ` : end;
}
