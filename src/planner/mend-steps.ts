import { posix } from 'node:path';
import type { Step, StepInput, StepResult } from '../contracts/plan.ts';
import { renumberSteps } from '../contracts/renumber-steps.ts';
import { isReading, type Json, type JsonObject, type Tool } from '../contracts/tool.ts';

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
