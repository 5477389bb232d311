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
