import type { Mentions } from '../contracts/intent.ts';
import type { Likeness } from '../contracts/likeness.ts';
import type { Tool } from '../contracts/tool.ts';
import { largest } from '../lib/largest.ts';
import { contentWords } from '../lib/text/question-words.ts';
import { stemWord } from '../lib/text/stem-word.ts';

/** Times that a word of the tool's name counts against one of its description. */
const nameWeight = 3;

export type ToolChoice = { tool: Tool; score: number };

/**
 * What likeness counts beside words. Chosen on the goals of `tests/fixtures/tool-goals.jsonl`; from
 * .5 to .7 it makes little difference, and either alone finds less.
 */
const alpha = 0.6;

/**
 * Tools by how well they fit the words of a goal: by the words of their names, descriptions and examples, and
 * by likeness in meaning where it can be told, each as a share of the best.
 *
 * @returns those that share a word or are alike at all, best first
 */
export function chooseTools(
  words: readonly string[],
  tools: readonly Tool[],
  likeness?: Likeness,
): ToolChoice[] {
  const byWords = scoresByWords(words, tools);
  const byMeaning =
    likeness === undefined ? undefined : tools.map((tool) => likeness(wordsOf(tool)));
  const mostWords = largest(byWords, Number.MIN_VALUE);
  const mostLike = largest(byMeaning ?? [], Number.MIN_VALUE);
  const score = (index: number): number => {
    const spoken = byWords[index] as number;
    if (byMeaning === undefined) return spoken;
    const like = Math.max(0, byMeaning[index] as number) / mostLike;
    return (1 - alpha) * (spoken / mostWords) + alpha * like;
  };
  return tools
    .map((tool, index) => ({ tool, score: score(index) }))
    .filter((choice) => choice.score > 0)
    .sort((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1));
}

/** The sum of the inverse frequencies of a goal's words among all tools, the more the rarer. */
function scoresByWords(words: readonly string[], tools: readonly Tool[]): number[] {
  const wanted = words.map(stemWord);
  const bags = tools.map((tool) => wordBag(tool));
  const rarity = (word: string): number => {
    const holding = bags.filter((bag) => bag.has(word)).length;
    return Math.log(1 + (tools.length - holding + 0.5) / (holding + 0.5));
  };
  return bags.map((bag) =>
    wanted.reduce((sum, word) => {
      const count = bag.get(word) ?? 0;
      // Saturates, so that a long description is no argument.
      return sum + rarity(word) * (count / (count + 1));
    }, 0),
  );
}

function wordsOf(tool: Tool): string {
  return `${tool.name.replace(/[.-]/g, ' ')}: ${tool.description}`;
}

/** What leads somewhere with any question; its own words seldom name these. */
const always = ['search.passages', 'search.grep', 'file.read'];

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
  likeness?: Likeness,
): Tool[] {
  const fitting = chooseTools(words, tools, likeness).map(({ tool }) => tool);
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

function wordBag(tool: Tool): Map<string, number> {
  const bag = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of contentWords(text).map(stemWord))
      bag.set(word, (bag.get(word) ?? 0) + weight);
  };
  add(tool.name.replace(/[.-]/g, ' '), nameWeight);
  add(tool.description, 1);
  for (const example of tool.examples) add(JSON.stringify(example), 0.5);
  return bag;
}
