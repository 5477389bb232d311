import ignore from 'ignore';
import { fitsSteps } from './glob.ts';

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
export function createDeepRule(rule: string): DeepRule {
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
