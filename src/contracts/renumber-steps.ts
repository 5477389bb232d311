import type { Step, StepInput } from './plan.ts';
import type { Json } from './tool.ts';

/** The same steps with ids from `s(first)` on, for a plan that is not the first of its run. */
export function renumberSteps(steps: readonly Step[], first: number): Step[] {
  const ids = new Map(steps.map((step, index) => [step.id, `s${first + index}`]));
  const rename = (id: string): string => ids.get(id) ?? id;
  const renameIn = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(renameIn);
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [
      key,
      key === '$from' && typeof item === 'string' ? rename(item) : renameIn(item),
    ]);
    return Object.fromEntries(entries);
  };
  return steps.map((step) => ({
    ...step,
    id: rename(step.id),
    input: renameIn(step.input) as StepInput,
    needs: step.needs.map(rename),
  }));
}
