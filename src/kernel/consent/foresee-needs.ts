import type { ConsentDesk } from '../../consent/consent-desk.ts';
import type { ConsentNeed } from '../../consent/tasks.ts';
import type { Plan, Step } from '../../contracts/plan.ts';
import type { Json, JsonObject, ToolInvoker } from '../../contracts/tool.ts';
import { referencesOf } from '../../planner/check-plan.ts';

/** The most steps of a plan that are rehearsed; later ones are asked about at their calls. */
const maxRehearsed = 20;
/** The time for one rehearsal, which only has to reach its first effect. */
const maxRehearsalMs = 5000;
/** The most steps that one question covers, so that a person reads it. */
const maxTogether = 10;

export type RehearsalPorts = {
  invoker: Pick<ToolInvoker, 'invoke'>;
  desk: Pick<ConsentDesk, 'foreseen'>;
  run: string;
  signal: AbortSignal;
  stepTimeoutMs: number;
};

/**
 * Asks once about what several steps of a plan need alike, before any of them runs. Each step whose
 * input is known is rehearsed: its tool runs up to the first effect that a person would be asked
 * about, and that effect is not made. What a step then really does is compared with what was shown;
 * anything else is asked about at its call, like all that cannot be foreseen.
 */
export async function foreseeNeeds(
  plan: Plan,
  ports: RehearsalPorts & { desk: Pick<ConsentDesk, 'open' | 'askTogether'> },
): Promise<void> {
  const { desk, signal } = ports;
  const steps = plan.steps.filter(hasEffect).filter(isInputKnown);
  // A single need is asked about at its call, where more is known.
  if (!desk.open || steps.length < 2) return;
  const needs: ConsentNeed[] = [];
  for (const step of steps.slice(0, maxRehearsed)) {
    const need = await rehearse(step, ports);
    signal.throwIfAborted();
    if (need !== undefined) needs.push(need);
  }
  const groups = Map.groupBy(needs, ({ caller, grant }) =>
    JSON.stringify([caller.plugin, caller.digest, grant.capability, grant.detail]),
  );
  for (const group of groups.values()) {
    for (let at = 0; at < group.length; at += maxTogether) {
      await desk.askTogether(group.slice(at, at + maxTogether), { signal });
    }
  }
}

/** Runs the tool of a step up to its first effect. @returns the question that it would ask */
export async function rehearse(
  step: Step,
  ports: RehearsalPorts,
): Promise<ConsentNeed | undefined> {
  const rehearsal = { step: step.id };
  const { invoker, desk, run, signal } = ports;
  const timeoutMs = Math.min(ports.stepTimeoutMs, maxRehearsalMs);
  const call = { tool: step.tool, input: step.input as JsonObject };
  try {
    const events = invoker.invoke(call, { signal, timeoutMs, run, step: step.id, rehearsal });
    for await (const _ of events);
  } catch {
    // Ignored: a rehearsal ends at its first effect, or fails as the real step will.
  }
  return desk.foreseen(rehearsal);
}

function hasEffect({ effect }: Step): boolean {
  return effect !== 'pure' && effect !== 'read';
}

/** Whether no part of the input comes from another step. */
function isInputKnown({ input }: Step): boolean {
  return referencesOf(input as Json).next().done === true;
}
