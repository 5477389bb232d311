import type { Likenesses } from '../../contracts/embedder.ts';
import type { Mentions } from '../../contracts/intent.ts';
import { rememberTool } from '../../contracts/kernel-tools.ts';
import type { Tool } from '../../contracts/tool.ts';
import { largest } from '../../lib/numbers.ts';
import { contentWords, stemBeginning, stemWord } from '../../lib/text/words.ts';

/** Times that a word of the tool's name counts against one of its description. */
const nameWeight = 3;

/**
 * Weights of near words and of the whole goal, beside the same words. Chosen on the odd lines of
 * `tests/bench/tools/goals.tsv`; a fifth more or less makes little difference.
 */
const weights = { same: 0.3, near: 0.5, whole: 0.2 };

export type ToolChoice = {
  tool: Tool;
  /** 0 to 1: a share of the best in each of the ways */
  score: number;
  /** 0 to 1: how much of the goal the tool speaks of, its rare words before its common ones */
  covered: number;
};

/**
 * Tools by how well they fit the words of a goal: by the words of their names, descriptions and
 * examples, and by nearness in meaning where it can be told, each as a share of the best.
 *
 * @param words of the goal, as `Mentions` has them
 * @param likenesses to the goal and to these words
 * @returns those that share a word or are alike at all, best first; ties keep the order of `tools`
 */
export function chooseTools(
  words: readonly string[],
  tools: readonly Tool[],
  likenesses?: Likenesses,
): ToolChoice[] {
  const fitOf = createFit(words, tools, likenesses);
  const found = tools.map((tool) => ({
    ...fitOf(tool),
    whole: Math.max(0, likenesses?.asked(wordsOf(tool)) ?? 0),
  }));
  const most = (way: 'same' | 'near' | 'whole'): number =>
    largest(
      found.map((each) => each[way]),
      Number.MIN_VALUE,
    );
  const best = { same: most('same'), near: most('near'), whole: most('whole') };
  const scoreOf = (each: (typeof found)[number]): number =>
    likenesses === undefined
      ? each.same / best.same
      : weights.same * (each.same / best.same) +
        weights.near * (each.near / best.near) +
        weights.whole * (each.whole / best.whole);
  return found
    .map((each) => ({ tool: each.tool, score: scoreOf(each), covered: each.covered }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/**
 * How much of a goal some of the tools speak of, as `ToolChoice.covered`; less work than to choose.
 *
 * @param tools all there are: a word is rare or common among these
 */
export function mostCovered(
  words: readonly string[],
  tools: readonly Tool[],
  some: readonly Tool[],
  likenesses?: Likenesses,
): number {
  const fitOf = createFit(words, tools, likenesses);
  return largest(
    some.map((tool) => fitOf(tool).covered),
    0,
  );
}

/** How well each tool fits by single words; rare words count more. */
function createFit(words: readonly string[], tools: readonly Tool[], likenesses?: Likenesses) {
  const wanted = words.map(stemWord);
  // To take all of a hundred descriptions apart takes longer than all else here.
  const beginnings = wanted.map(stemBeginning);
  const bags = tools.map((tool) => {
    const text = textOf(tool);
    return beginnings.some((letters) => text.includes(letters)) ? wordBag(tool) : noWords;
  });
  const bagOf = new Map(tools.map((tool, at) => [tool, bags[at]]));
  const rarities = wanted.map((word) => rarityOf(word, bags));
  const sum = (shares: readonly number[]): number =>
    shares.reduce((total, share, at) => total + share * (rarities[at] as number), 0);
  const all = Math.max(sum(wanted.map(() => 1)), Number.MIN_VALUE);
  return (tool: Tool) => {
    const bag = bagOf.get(tool) ?? wordBag(tool);
    const counts = wanted.map((word) => bag.get(word) ?? 0);
    const near = likenesses?.nearest(wordsOf(tool));
    return {
      tool,
      // Saturates, so that a long description is not an argument.
      same: sum(counts.map((count) => count / (count + 1))),
      near: near === undefined ? 0 : sum(near),
      covered: sum(counts.map((count, at) => (count > 0 ? 1 : closeTo(near?.[at])))) / all,
    };
  };
}

/** Below this cosine two words have little to do with each other. */
const unrelated = 0.4;

function closeTo(cosine = 0): number {
  return Math.max(0, cosine - unrelated) / (1 - unrelated);
}

/** The inverse frequency of a word among all tools: the more the rarer. */
function rarityOf(word: string, bags: readonly ReadonlyMap<string, number>[]): number {
  const holding = bags.filter((bag) => bag.has(word)).length;
  return Math.log(1 + (bags.length - holding + 0.5) / (holding + 0.5));
}

function wordsOf(tool: Tool): string {
  return `${tool.name.replace(/[.-]/g, ' ')}: ${tool.description}`;
}

/** What leads somewhere with any question; its own words seldom name these. */
const always = ['search.passages', 'search.grep', 'file.read', rememberTool.name];

/** What a goal takes that wants something changed, whichever of the steps its words name. */
const toChange = ['file.edit', 'shell.run-tests'];
const toCommit = ['git.stage', 'git.commit'];

/**
 * The tools that a model is shown: those that its goal names, those that fit it best, the ones that
 * help with any goal or, where it is one, with a change and a commit, and others while there is room.
 */
export function toolsForModel(
  { words, wantsChange, wantsCommit }: Mentions,
  tools: readonly Tool[],
  limit: number,
  likenesses?: Likenesses,
): Tool[] {
  const fitting = chooseTools(words, tools, likenesses).map(({ tool }) => tool);
  const said = new Set(words.map(stemWord));
  const isNamed = (tool: Tool): boolean =>
    tool.name.split(/[.-]/).every((word) => said.has(stemWord(word)));
  const helping = [
    ...tools.filter(isNamed).map(({ name }) => name),
    ...always,
    ...(wantsChange ? toChange : []),
    ...(wantsCommit ? toCommit : []),
  ];
  const basic = tools.filter(({ name }) => helping.includes(name)).slice(0, limit);
  const best = fitting.filter((tool) => !basic.includes(tool)).slice(0, limit - basic.length);
  const isChosen = (tool: Tool): boolean => basic.includes(tool) || best.includes(tool);
  const rest = tools.filter((tool) => !isChosen(tool));
  const chosen = [...fitting.filter(isChosen), ...basic.filter((tool) => !fitting.includes(tool))];
  return [...chosen, ...rest].slice(0, limit);
}

const noWords: ReadonlyMap<string, number> = new Map();

/** All that `wordBag` reads, in lower case. */
function textOf({ name, description, examples }: Tool): string {
  const shown = examples.map((example) => JSON.stringify(example));
  return [name, description, ...shown].join(' ').toLowerCase();
}

const knownBags = new WeakMap<Tool, ReadonlyMap<string, number>>();

function wordBag(tool: Tool): ReadonlyMap<string, number> {
  const known = knownBags.get(tool);
  if (known !== undefined) return known;
  const bag = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of contentWords(text).map(stemWord))
      bag.set(word, (bag.get(word) ?? 0) + weight);
  };
  add(tool.name.replace(/[.-]/g, ' '), nameWeight);
  add(tool.description, 1);
  for (const example of tool.examples) add(JSON.stringify(example), 0.5);
  knownBags.set(tool, bag);
  return bag;
}
