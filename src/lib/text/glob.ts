/**
 * Whether steps fit a row of items to its end, in their order. Where an item does not fit, the
 * last `undefined` takes one item more; those before it need not. So the time grows with steps
 * times items, whatever the steps are.
 *
 * @param steps undefined stands for any number of items, also for none
 * @param length of the row
 * @param fits whether a step fits the item at an index
 */
export function fitsSteps<Step>(
  steps: readonly (Step | undefined)[],
  length: number,
  fits: (step: Step, at: number) => boolean,
): boolean {
  let step = 0;
  let at = 0;
  let again: { step: number; at: number } | undefined;
  while (at < length) {
    const wanted = steps[step];
    if (step < steps.length && wanted === undefined) {
      step += 1;
      if (step === steps.length) return true;
      again = { step, at };
    } else if (wanted !== undefined && fits(wanted, at)) {
      step += 1;
      at += 1;
    } else if (again !== undefined) {
      again.at += 1;
      ({ step, at } = again);
    } else return false;
  }
  while (step < steps.length && steps[step] === undefined) step += 1;
  return step === steps.length;
}

/**
 * A test of one name against a glob of `*`, `?` and characters that stand for themselves. It is no
 * regular expression: an engine that backtracks tries all ways to share a name out among the `*`.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  const steps = glob
    .replace(/\*+/g, '*')
    .split('')
    .map((unit) => (unit === '*' ? undefined : unit));
  if (!steps.includes(undefined) && !steps.includes('?')) return (name) => name === glob;
  return (name) => fitsSteps(steps, name.length, (unit, at) => unit === '?' || unit === name[at]);
}

/** Limits of one pattern: git gets the patterns too, and tries all ways to match a name. */
const maxWildcards = 3;
const maxLength = 200;

/** Paths of a tree as a person writes them. A path is given by its names, folded as the pattern is. */
export type PathPattern = {
  /** whether it names this path itself */
  names(path: readonly string[]): boolean;
  /** whether it names this path or a folder above it */
  covers(path: readonly string[]): boolean;
};

/**
 * Why a text is not a pattern; undefined when it is one: a relative path whose segments may hold `*`
 * and `?`, or be `**`. As in `.gitignore`, a text with no slash before its end is a name wherever it
 * stands, and what lies in a folder belongs to it.
 */
export function patternFault(text: string): string | undefined {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (/[\p{Cc}\\:]/u.test(text) || text.startsWith('!')) {
    return 'holds a backslash, a colon or a control character, or begins with "!"';
  }
  const body = bodyOf(text);
  const segments = body.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    return 'is not a path relative to the workspace';
  }
  if (segments.every((segment) => /^[*?]+$/.test(segment))) return 'names everything';
  const wildcards = body.match(/\*+|\?/g)?.length ?? 0;
  return wildcards > maxWildcards ? `has more than ${maxWildcards} wildcards` : undefined;
}

/**
 * @param text without a `patternFault`
 * @param fold makes one spelling of all that a file system may take for the same name
 */
export function compilePattern(text: string, fold: (path: string) => string): PathPattern {
  const segments = fold(bodyOf(text)).split('/');
  const steps = segments.map((segment) => (segment === '**' ? undefined : compileGlob(segment)));
  // At the end it stands for at least one name, elsewhere also for none.
  if (steps.at(-1) === undefined) steps.push(() => true);
  // As in .gitignore: a slash before its end ties a pattern to the root.
  if (!text.replace(/\/$/, '').includes('/')) steps.unshift(undefined);
  const below = [...steps, undefined];
  const fits = (row: typeof steps, path: readonly string[]): boolean =>
    fitsSteps(row, path.length, (test, at) => test(path[at] as string));
  return { names: (path) => fits(steps, path), covers: (path) => fits(below, path) };
}

function bodyOf(text: string): string {
  return text.replace(/^\//, '').replace(/(?:\/\*\*)?\/?$/, '');
}
