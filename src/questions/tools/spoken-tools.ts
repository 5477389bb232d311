import type { Likenesses } from '../../contracts/embedder.ts';
import type { Mentions } from '../../contracts/intent.ts';
import { kernelPlugin } from '../../contracts/kernel-tools.ts';
import type { JsonObject, Tool } from '../../contracts/tool.ts';
import { once } from '../../lib/memo.ts';
import { contentWords, stemWord } from '../../lib/text/words.ts';
import { chooseTools, mostCovered, type ToolChoice } from './choose-tools.ts';
import { fillInput, isWrittenOut, missingInput } from './fill-input.ts';

/**
 * How much of a goal a tool must speak of to be called for it. Chosen on the odd lines of
 * `tests/bench/tools/goals.tsv` and on questions about code, which want none of these tools.
 */
const enough = { general: 0.4, particular: 0.6 };
/** A goal of one word says too little about which tool it means, unless it names a path. */
const fewestWords = 2;
/** Scores that differ by less are equal. */
const tie = 0.005;
/** A tool of the same plugin that fits less well by no more is taken where the best lacks its input. */
const sibling = 0.15;

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
  if (tools.every(isOwn)) return undefined;
  const { goal } = mentions;
  const least = enough[options.isParticular ? 'particular' : 'general'];
  const likenesses = once(() => options.likenesses?.());
  const found =
    goal.length < fewestWords
      ? undefined
      : chooseSpoken(goal, { mentions, tools, least, likenesses });
  if (found !== undefined) return found;
  // One word is enough where what the tool takes stands beside it: `days between A and B`.
  const short =
    goal.length === 1
      ? chooseSpoken(goal, { mentions, tools, least: enough.particular, likenesses })
      : undefined;
  if (short !== undefined && isWrittenOut(short.tool, mentions)) return short;
  const isBeside = besideGiven(mentions, tools);
  const beside = goal.filter(isBeside);
  if (beside.length === goal.length || beside.length === 0) return undefined;
  return chooseSpoken(beside, {
    ...{ mentions, tools, least: enough.particular },
    likenesses: () => toWords(goal.map(isBeside), likenesses()),
  });
}

/** Why `spokenTool` is none: the tool of an installed plugin that comes nearest, and what it lacks. */
export function whyNotSpoken(
  { goal }: Mentions,
  tools: readonly Tool[],
  options: { isParticular: boolean; likenesses?: LikenessesToGoal | undefined },
): string {
  const [best, ...rest] = chooseTools(goal, tools, options.likenesses?.());
  const near = [best, ...rest].find((each) => each !== undefined && !isOwn(each.tool));
  if (best === undefined || near === undefined) return 'none fits';
  const name = near.tool.name;
  const least = enough[options.isParticular ? 'particular' : 'general'];
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  if (near.covered < least)
    return `${name} speaks of ${percent(near.covered)} of the goal, and ${percent(least)} is the least`;
  if (goal.length < fewestWords) return `one word, "${goal.join(' ')}", says too little`;
  if (isOwn(best.tool)) return `${best.tool.name} fits better than ${name}`;
  return `${name} changes files, and no change is asked for`;
}

function chooseSpoken(
  goal: readonly string[],
  options: {
    mentions: Mentions;
    tools: readonly Tool[];
    /** of the goal, that a tool speaks of */
    least: number;
    likenesses: LikenessesToGoal;
  },
): SpokenTool | undefined {
  const { mentions, tools, least } = options;
  const likenesses = options.likenesses();
  const installed = tools.filter((tool) => !isOwn(tool));
  // Most questions speak of none of them, and to compare them all takes tens of milliseconds.
  if (mostCovered(goal, tools, installed, likenesses) < least) return undefined;
  const [best, ...rest] = chooseTools(goal, tools, likenesses);
  if (best === undefined || isOwn(best.tool)) return undefined;
  const isChosen = ({ tool, covered }: ToolChoice): boolean =>
    // Files change only where the question asks for a change.
    covered >= least &&
    (tool.effect !== 'write' || mentions.wantsChange || asksTo(tool, mentions.text));
  if (!isChosen(best)) return undefined;
  const siblings = rest.filter(
    ({ tool, score }) => tool.plugin === best.tool.plugin && best.score - score < sibling,
  );
  const fitting = [best, ...siblings.filter(isChosen)].find(
    ({ tool }) => missingInput(tool, mentions).length === 0,
  );
  const chosen = fitting ?? best;
  const ties = rest
    .filter(
      ({ tool, score }) =>
        tool !== chosen.tool &&
        chosen.score - score < (areNamesakes(tool, chosen.tool) ? sibling : tie),
    )
    .map(({ tool }) => tool.name);
  const input = fillInput(chosen.tool, mentions);
  return { ...chosen, input, missing: missingInput(chosen.tool, mentions), ties };
}

/** Two plugins that have a tool of one name: what the plugins are called must not decide. */
function areNamesakes(one: Tool, other: Tool): boolean {
  const own = ({ name, plugin }: Tool): string => name.slice(plugin.length);
  return one.plugin !== other.plugin && own(one) === own(other);
}

/** Whether a text begins with the verb of a tool, as its name or its description has it. */
function asksTo({ name, description }: Tool, text: string): boolean {
  const [verb = ''] = text
    .toLowerCase()
    .replace(/^(?:please|(?:can|could|would) you(?: please)?)\s+/, '')
    .split(' ');
  const [, own = ''] = name.split('.');
  const [said = ''] = description.toLowerCase().split(' ');
  const isBase = !/[^s]s$|ing$|ed$/.test(verb);
  return isBase && [...own.split('-'), said].map(stemWord).includes(stemWord(verb));
}

/**
 * What a path is called and what is quoted say little of what is wanted, unless a plugin speaks of
 * it, as of CSV.
 */
function besideGiven(
  { paths, quoted = '' }: Mentions,
  tools: readonly Tool[],
): (word: string) => boolean {
  const given = new Set([...paths, quoted].flatMap(contentWords));
  if (given.size === 0) return () => true;
  const spoken = new Set(
    tools
      .filter((tool) => !isOwn(tool))
      .flatMap(({ name, description }) => contentWords(`${name} ${description}`)),
  );
  return (word) => !given.has(word) || spoken.has(word);
}

/** Likenesses to some of the words of a goal. */
function toWords(kept: readonly boolean[], all: Likenesses | undefined): Likenesses | undefined {
  if (all === undefined) return undefined;
  return { ...all, nearest: (words) => all.nearest(words).filter((_, at) => kept[at]) };
}

/** The plans of questions know these; they are not chosen a second time by their words. */
function isOwn({ plugin }: Tool): boolean {
  return ['file', 'search', 'git', 'shell', 'web', kernelPlugin].includes(plugin);
}
