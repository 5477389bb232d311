import type { Likeness } from '../contracts/likeness.ts';
import type { Tool } from '../contracts/tool.ts';
import { contentWords } from './question-words.ts';

/** Times that a word of the tool's name counts against one of its description. */
const nameWeight = 3;

export type ToolChoice = { tool: Tool; score: number };

/**
 * What likeness counts beside words. Chosen on the goals of `tests/fixtures/tool-goals.jsonl`; from
 * .5 to .7 it makes little difference, and either alone finds less.
 */
const alpha = 0.6;

/**
 * Tools by how well they fit a goal: by the words of their names, descriptions and examples, and
 * by likeness in meaning where it can be told, each as a share of the best.
 *
 * @returns those that share a word or are alike at all, best first
 */
export function chooseTools(
  goal: string,
  tools: readonly Tool[],
  likeness?: Likeness,
): ToolChoice[] {
  const byWords = scoresByWords(goal, tools);
  const byMeaning =
    likeness === undefined ? undefined : tools.map((tool) => likeness(wordsOf(tool)));
  const mostWords = Math.max(...byWords, Number.MIN_VALUE);
  const mostLike = Math.max(...(byMeaning ?? []), Number.MIN_VALUE);
  const score = (index: number): number => {
    const words = byWords[index] as number;
    if (byMeaning === undefined) return words;
    const like = Math.max(0, byMeaning[index] as number) / mostLike;
    return (1 - alpha) * (words / mostWords) + alpha * like;
  };
  return tools
    .map((tool, index) => ({ tool, score: score(index) }))
    .filter((choice) => choice.score > 0)
    .sort((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1));
}

/** The sum of the inverse frequencies of a goal's words among all tools, the more the rarer. */
function scoresByWords(goal: string, tools: readonly Tool[]): number[] {
  const wanted = contentWords(goal).map(stem);
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
const changing =
  /\b(?:fix|repair|mend|correct|change|edit|modify|replace|rename|refactor|rewrite|implement|add|remove|delete|update|write|make|let|resolve|solve)\b/i;
const toCommit = ['git.stage', 'git.commit'];
const committing = /\bcommit(?:s|ted|ting)?\b/i;

/**
 * The tools that a model is shown: those that its goal names, those that fit it best, the ones that
 * help with any goal or, where it is one, with a change and a commit, and others while there is room.
 */
export function toolsForModel(
  goal: string,
  tools: readonly Tool[],
  limit: number,
  likeness?: Likeness,
): Tool[] {
  const fitting = chooseTools(goal, tools, likeness).map(({ tool }) => tool);
  const said = new Set(contentWords(goal).map(stem));
  const isNamed = (tool: Tool): boolean =>
    tool.name.split(/[.-]/).every((word) => said.has(stem(word)));
  const helping = [
    ...tools.filter(isNamed).map(({ name }) => name),
    ...always,
    ...(changing.test(goal) ? toChange : []),
    ...(committing.test(goal) ? toCommit : []),
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
    for (const word of contentWords(text).map(stem)) bag.set(word, (bag.get(word) ?? 0) + weight);
  };
  add(tool.name.replace(/[.-]/g, ' '), nameWeight);
  add(tool.description, 1);
  for (const example of tool.examples) add(JSON.stringify(example), 0.5);
  return bag;
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ing|es|ed|e|s)$/, '') : word;
}
