import type { Events, Say, ToolFacts, Turn } from '../contracts/agent.ts';
import type { StepResult } from '../contracts/plan.ts';
import { mendSteps } from './mend-steps.ts';

export type MendedPlan = {
  added: readonly StepResult[];
  /** what came of a step that failed in the end, by its id */
  mended: ReadonlyMap<string, StepResult>;
};

export const nothingMended: MendedPlan = { added: [], mended: new Map() };

/**
 * Plans failed steps anew, once, and runs that.
 *
 * @param results of the plan, in its order
 * @param first number of the first further step
 */
export async function* mendPlan(
  results: readonly StepResult[],
  { budget, run }: Pick<Turn, 'budget' | 'run'>,
  { tools, say }: { tools: ToolFacts; say: Say },
  first: number,
): Events<MendedPlan> {
  const steps = mendSteps(results, tools.planTools, first);
  if (steps.length === 0 || budget.toolCallsLeft() < steps.length) return nothingMended;
  const added = yield* run(steps);
  const mended = new Map(
    steps.flatMap(({ id, insteadOf }) => {
      const result = added.find(({ step, status }) => step === id && status === 'ok');
      return insteadOf === undefined || result === undefined ? [] : [[insteadOf, result]];
    }),
  );
  for (const failed of results) {
    const better = mended.get(failed.step);
    if (failed.status !== 'error' || better === undefined) continue;
    say.warn(`${failed.error?.message}; ${insteadOf(failed, better)} was taken instead`);
  }
  return { added, mended };
}

/** The fields that only the second input has. */
function insteadOf(failed: StepResult, better: StepResult): string {
  const changed = Object.entries(better.input).find(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(failed.input[field]),
  );
  const [field, value] = changed ?? [];
  return field === 'literal' ? 'the pattern as a text' : String(value);
}
