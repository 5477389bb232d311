import { effectUses } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import type { Plan, PlannedCapability, Step } from '../contracts/plan.ts';
import type { Json, JsonObject, Tool } from '../contracts/tool.ts';

const maxSteps = 50;
/** Nobody means deeper ones, and what walks through them calls itself for each level. */
const maxInputDepth = 200;

/**
 * The plan with its steps in an order in which needs come first, ties as they stood.
 *
 * @throws {KernelError} `invalid-argument` for two steps of one id, a need that is not a step,
 *   a reference to a step that is not needed, an input that is nested too deep, or a cycle, which
 *   is named
 */
export function checkPlan(plan: Plan): Plan {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  if (steps.size !== plan.steps.length) throw invalid('two steps of the plan have the same id');
  if (steps.size > maxSteps) throw invalid(`the plan has ${steps.size} steps, limit ${maxSteps}`);
  for (const step of plan.steps) {
    const stranger = step.needs.find((need) => !steps.has(need));
    if (stranger !== undefined)
      throw invalid(`step ${step.id} needs ${stranger}, which is not a step`);
    if (isDeeper(step.input, maxInputDepth))
      throw invalid(`the input of ${step.tool} is nested deeper than ${maxInputDepth} levels`);
    const loose = [...referencesOf(step.input)].find((id) => !step.needs.includes(id));
    if (loose !== undefined)
      throw invalid(`step ${step.id} takes from ${loose} but does not need it`);
  }
  return { ...plan, steps: sortSteps(plan.steps, steps) };
}

function sortSteps(steps: readonly Step[], byId: ReadonlyMap<string, Step>): Step[] {
  const sorted: Step[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (step: Step): void => {
    if (done.has(step.id)) return;
    const start = path.indexOf(step.id);
    if (start >= 0) {
      throw invalid(`the plan has a cycle: ${[...path.slice(start), step.id].join(' → ')}`);
    }
    path.push(step.id);
    for (const need of step.needs) visit(byId.get(need) as Step);
    path.pop();
    done.add(step.id);
    sorted.push(step);
  };
  for (const step of steps) visit(step);
  return sorted;
}

/** Level by level, so that no depth is too deep to be found. */
function isDeeper(value: JsonObject, maxDepth: number): boolean {
  const isHolder = (each: Json): boolean => typeof each === 'object' && each !== null;
  let level: Json[] = [value];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level.flatMap((each) => Object.values(each as JsonObject).filter(isHolder));
  }
  return level.length > 0;
}

/** Ids of the steps that an input refers to. */
export function* referencesOf(value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && typeof value.$from === 'string') yield value.$from;
  for (const item of Object.values(value)) yield* referencesOf(item);
}

function invalid(message: string): KernelError {
  return new KernelError('invalid-argument', message);
}

/** What the kernel knows of the authority of a plugin for one of its steps. */
export type CapabilityOf = (plugin: string, step: PlannedStep) => readonly PlannedCapability[];

type PlannedStep = Pick<Step, 'tool' | 'input'>;

/**
 * The union of the capabilities that the tools of a plan can use, by the effect that they promise;
 * a denial stands out.
 */
export function plannedCapabilities(
  steps: readonly PlannedStep[],
  tools: readonly Tool[],
  capabilitiesOf: CapabilityOf,
): PlannedCapability[] {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const union = new Map<string, PlannedCapability>();
  for (const step of steps) {
    const tool = known.get(step.tool);
    if (tool === undefined) continue;
    const { plugin, effect } = tool;
    for (const capability of capabilitiesOf(plugin, step)) {
      if (!effectUses(effect, capability.capability)) continue;
      const key = `${capability.capability}:${capability.detail ?? ''}:${capability.decision}`;
      union.set(key, capability);
    }
  }
  return [...union.values()];
}
