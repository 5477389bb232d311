import type { AskIntent, Reading } from '../contracts/intent.ts';
import { renumberSteps, type Step } from '../contracts/plan.ts';
import type { PlanOn } from '../contracts/questions.ts';
import type { Tool } from '../contracts/tool.ts';
import { type Draft, namesIn } from './drafts.ts';
import { kindOf, kinds } from './kinds.ts';
import { type SpokenTool, spokenTool, whyNotSpoken } from './tools/spoken-tools.ts';

/**
 * A plan without a model: the first reading of a question for which there are tools; outputs feed
 * later steps.
 *
 * @returns steps with ids and needs, not yet ordered or checked
 */
export function planIntent(
  { readings, mentions }: AskIntent,
  { tools, repository, likenesses }: Omit<PlanOn, 'attempt'>,
): Step[] {
  for (const reading of readings) {
    if (reading.kind === 'history' && !repository) continue;
    const isParticular = isParticularIn(reading, readings);
    const spoken = spokenTool(mentions, tools, { isParticular, likenesses });
    const others =
      spoken?.input === undefined ? [] : [{ tool: spoken.tool.name, input: spoken.input }];
    const steps = toSteps([...kindOf(reading).plan(reading, mentions), ...others], tools);
    if (steps.length > 0) return steps;
  }
  return [];
}

/** The tool of an installed plugin that goes with the reading that is planned first. */
export function spokenFor(
  { readings, mentions }: AskIntent,
  { tools, repository, likenesses }: Omit<PlanOn, 'attempt'>,
): SpokenTool | undefined {
  const first = readings.find(({ kind }) => kind !== 'history' || repository) ?? readings[0];
  return spokenTool(mentions, tools, { isParticular: isParticularIn(first, readings), likenesses });
}

/** Why there is none: see `whyNotSpoken`. */
export function notSpokenFor(
  { readings, mentions }: AskIntent,
  { tools, repository, likenesses }: Omit<PlanOn, 'attempt'>,
): string {
  const first = readings.find(({ kind }) => kind !== 'history' || repository) ?? readings[0];
  const isParticular = isParticularIn(first, readings);
  return whyNotSpoken(mentions, tools, { isParticular, likenesses });
}

/** Every question has a last reading, which says little about what it wants. */
function isParticularIn(reading: Reading, readings: AskIntent['readings']): boolean {
  return reading !== readings[readings.length - 1];
}

/**
 * The next plan when the plan of a question found nothing: a listing without a file, or an unknown
 * name, may have been a question about what the code does.
 *
 * @returns no steps when passages were searched already, when an empty list is the answer, or when
 *   a file or a page of the web was asked for
 */
export function planWider({ readings, mentions }: AskIntent, tools: readonly Tool[]): Step[] {
  for (const reading of readings) {
    const on = { mentions, readings, isFirst: reading === readings[0] };
    const drafts = kindOf(reading).wider?.(reading, on);
    if (drafts !== undefined) return toSteps(drafts, tools);
  }
  const isSearched = readings.every((each) => kindOf(each).searches);
  return isSearched ? [] : toSteps(kinds.how.plan({ kind: 'how' }, mentions), tools);
}

/** What the words of a question mean in the workspace, where they fit no kind or led to nothing. */
export function planNames({ mentions }: AskIntent, tools: readonly Tool[]): Step[] {
  return toSteps(namesIn(mentions), tools);
}

function toSteps(drafts: readonly Draft[], tools: readonly Tool[]): Step[] {
  const steps = drafts.map((draft, index): Step => {
    const needs = new Set<string>();
    collectReferences(draft.input, needs);
    return {
      id: `s${index + 1}`,
      tool: draft.tool,
      input: draft.input,
      needs: [...needs],
      effect: tools.find((tool) => tool.name === draft.tool)?.effect ?? 'external',
    };
  });
  return renumberSteps(possibleSteps(steps, tools), 1);
}

/** Without those whose tool is not there, and without what would take from them. */
function possibleSteps(steps: readonly Step[], tools: readonly Tool[]): Step[] {
  const possible: Step[] = [];
  for (const step of steps) {
    const isThere = tools.some((tool) => tool.name === step.tool);
    const isFed = step.needs.every((need) => possible.some(({ id }) => id === need));
    if (isThere && isFed) possible.push(step);
  }
  return possible;
}

function collectReferences(value: unknown, needs: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('$from' in value && typeof value.$from === 'string') needs.add(value.$from);
  for (const item of Object.values(value)) collectReferences(item, needs);
}
