import type { Mentions } from '../contracts/intent.ts';
import { kernelPlugin } from '../contracts/kernel-tools.ts';
import type { Likenesses } from '../contracts/likeness.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';
import { chooseTools, type ToolChoice } from './choose-tools.ts';
import { fillInput, missingInput } from './fill-input.ts';

/**
 * How much of a goal a tool must speak of to be called for it. Chosen on the odd lines of
 * `tests/bench/tools/goals.tsv` and on questions about code, which want none of these tools.
 */
const enough = { general: 0.4, particular: 0.6 };
/** A goal of one word says too little about which tool it means. */
const fewestWords = 2;
/** Scores that differ by less are equal. */
const tie = 0.005;

/** To the text of a question and the words of its goal; undefined where it cannot be told. */
export type LikenessesToGoal = () => Likenesses | undefined;

export type SpokenTool = ToolChoice & {
  /** undefined where the question lacks something that the tool requires */
  input: JsonObject | undefined;
  /** names of what it lacks */
  missing: readonly string[];
  /** other tools that fit as well */
  ties: readonly string[];
};

/**
 * The tool of an installed plugin that a question plainly speaks of: it fits better than all that
 * come along, and speaks of enough of the goal.
 *
 * @param options.isParticular the tools that come along have an answer of their own to this kind of
 *   question
 */
export function spokenTool(
  mentions: Mentions,
  tools: readonly Tool[],
  options: { isParticular: boolean; likenesses?: LikenessesToGoal | undefined },
): SpokenTool | undefined {
  const { goal } = mentions;
  if (goal.length < fewestWords || tools.every(isOwn)) return undefined;
  const [best, ...others] = chooseTools(goal, tools, options.likenesses?.());
  if (best === undefined || isOwn(best.tool)) return undefined;
  const isPlain = best.covered >= enough[options.isParticular ? 'particular' : 'general'];
  // Files change only where the question asks for a change.
  const isAsked = best.tool.effect !== 'write' || mentions.wantsChange;
  if (!isPlain || !isAsked) return undefined;
  const ties = others.filter(({ score }) => best.score - score < tie).map(({ tool }) => tool.name);
  const input = fillInput(best.tool, mentions);
  return { ...best, input, missing: missingInput(best.tool, mentions), ties };
}

/** The plans of questions know these; they are not chosen a second time by their words. */
function isOwn({ plugin }: Tool): boolean {
  return ['file', 'search', 'git', 'shell', 'web', kernelPlugin].includes(plugin);
}
