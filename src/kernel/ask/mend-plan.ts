import type { BudgetMeter } from '../../ask/budget.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { StepResult } from '../../contracts/plan.ts';
import { mendSteps } from '../../planner/mend-steps.ts';
import type { AskPorts } from './ask-ports.ts';

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
  budget: BudgetMeter,
  ports: AskPorts,
  first: number,
): AsyncGenerator<UnstampedEvent, MendedPlan, undefined> {
  const steps = mendSteps(results, ports.planTools, first);
  if (steps.length === 0 || budget.toolCallsLeft() < steps.length) {
    return nothingMended;
  }
  const plan = ports.makePlan(steps);
  yield { type: 'plan', ...plan };
  budget.takeToolCalls(plan.steps.length);
  const added = yield* ports.execute(plan);
  if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
  const mended = new Map(
    plan.steps.flatMap(({ id, insteadOf }) => {
      const result = added.find(({ step, status }) => step === id && status === 'ok');
      return insteadOf === undefined || result === undefined ? [] : [[insteadOf, result]];
    }),
  );
  for (const failed of results) {
    const better = mended.get(failed.step);
    if (failed.status !== 'error' || better === undefined) continue;
    ports.warn(`${failed.error?.message}; ${insteadOf(failed, better)} was taken instead`);
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
