import { posix } from 'node:path';
import type { Events, Say, ToolFacts, Turn } from '../contracts/agent.ts';
import { renumberSteps, type Step, type StepInput, type StepResult } from '../contracts/plan.ts';
import { isReading, type Json, type JsonObject, type Tool } from '../contracts/tool.ts';

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

const findFile = 'file.find';

/**
 * A new plan for failed steps that other input may mend: a missing file is looked for by its name,
 * and an invalid pattern is taken as plain text. Steps that were skipped after them follow. Only
 * reads are called again.
 *
 * @param results of a plan, in its order
 * @returns steps numbered from `first`; each that replaces a result says so
 */
export function mendSteps(
  results: readonly StepResult[],
  tools: readonly Tool[],
  first: number,
): Step[] {
  const steps: Step[] = [];
  const finder = tools.find(({ name }) => name === findFile);
  for (const result of results) {
    const tool = tools.find(({ name }) => name === result.tool);
    if (tool === undefined || !isReading(tool.effect)) continue;
    const { step: id, needs } = result;
    const again = { id, tool: tool.name, effect: tool.effect, insteadOf: id };
    if (result.status === 'skipped') {
      const isFed = needs.length > 0 && needs.every((need) => steps.some((one) => one.id === need));
      if (isFed) steps.push({ ...again, input: inputOf(result), needs });
      continue;
    }
    const literal = asLiteral(result, tool);
    if (literal !== undefined) steps.push({ ...again, input: literal, needs: [] });
    const lost = lostPath(result);
    if (lost === undefined || finder === undefined) continue;
    const search = `${id} by its name`;
    const input = { pattern: nameOf(lost.path), limit: 5 };
    steps.push({ id: search, tool: findFile, effect: finder.effect, input, needs: [] });
    const found = lost.replaced({ $from: search, path: '/paths/0' });
    steps.push({ ...again, needs: [search], input: { ...inputOf(result), ...found } });
  }
  return renumberSteps(steps, first);
}

/** The input once more, its pattern as a text. */
function asLiteral(result: StepResult, { inputSchema }: Tool): StepInput | undefined {
  const { pattern, literal } = (inputSchema.properties ?? {}) as Record<string, JsonObject>;
  const isExpression = pattern?.type === 'string' && literal?.type === 'boolean';
  if (!isExpression || result.error?.code !== 'invalid-argument') return undefined;
  return result.input.literal === true ? undefined : { ...inputOf(result), literal: true };
}

/** The path that the error speaks of, and how another one is put in its place. */
function lostPath(
  result: StepResult,
): { path: string; replaced(other: Json): StepInput } | undefined {
  const { error } = result;
  if (error?.code !== 'not-found') return undefined;
  for (const [field, value] of Object.entries(result.input)) {
    const isList = Array.isArray(value) && value.length === 1;
    const path: unknown = isList ? value[0] : value;
    if (typeof path !== 'string' || !isName(path) || !error.message.includes(nameOf(path)))
      continue;
    return { path, replaced: (other) => ({ [field]: isList ? [other] : other }) };
  }
  return undefined;
}

const nameOf = (path: string): string => posix.basename(path);

/** What a file may be called, on its own or at the end of a path: no glob, no sentence. */
function isName(path: string): boolean {
  return /^[^\s*?{}[\]]+$/.test(path) && /^[^.].*\.\w+$|^\w+$/.test(nameOf(path));
}

/** It was made of a plan, so every value is JSON. */
function inputOf({ input }: StepResult): StepInput {
  return input as StepInput;
}
