import type { InputRef, Step, StepInput } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';
import { chooseTools } from './choose-tools.ts';
import { classifyQuestion } from './classify-question.ts';
import { type CodeWish, codeWish } from './code-question.ts';
import { fileWish } from './file-pattern.ts';
import { fillInput } from './fill-input.ts';
import { type HistoryWish, historyWish } from './history-question.ts';
import { contentWords, identifiersIn, pathsIn } from './question-words.ts';
import { renumberSteps } from './renumber-steps.ts';
import { type SizeWish, sizeWish } from './size-question.ts';
import { webWish } from './web-question.ts';

/** A step before it has an id; `needs` follows from the references in its input. */
type Draft = { tool: string; input: StepInput };

export type PlanOptions = {
  /** the workspace is a repository, so that questions about history go to git */
  repository?: boolean;
};

/**
 * A plan without a model: the question's kind, its names and its paths choose tools, and
 * outputs feed later steps.
 *
 * @param tools those that are there; steps only call these
 * @returns steps with ids and needs, not yet ordered or checked
 */
export function planQuestion(
  question: string,
  tools: readonly Tool[],
  { repository = false }: PlanOptions = {},
): Step[] {
  const url = webWish(question);
  const fetched = url === undefined ? [] : toSteps([{ tool: 'web.fetch', input: { url } }], tools);
  if (fetched.length > 0) return fetched;
  const wish = repository ? historyWish(question) : undefined;
  const asked = wish === undefined ? [] : toSteps(planHistory(wish), tools);
  if (asked.length > 0) return asked;
  const structure = codeWish(question);
  const told = structure === undefined ? [] : toSteps(planStructure(structure), tools);
  if (told.length > 0) return told;
  const size = sizeWish(question);
  const measured = size === undefined ? [] : toSteps(planSize(size), tools);
  if (measured.length > 0) return measured;
  return toSteps([...draftsByKind(question), ...draftsByTools(question, tools)], tools);
}

/**
 * What to try when the plan of a question brought nothing: a listing that named no file, or
 * a name that nothing has, may have been a question about what the code does.
 *
 * @returns no steps where passages were searched already, where nothing to do is the answer, or
 * where a page of the web was asked for, of which the files say nothing
 */
export function planWider(question: string, tools: readonly Tool[]): Step[] {
  if (classifyQuestion(question) === 'todo' || webWish(question) !== undefined) return [];
  const searched =
    codeWish(question) === undefined &&
    sizeWish(question) === undefined &&
    draftsByKind(question).some(({ tool }) => tool === 'search.passages');
  return searched ? [] : toSteps(planHow(question), tools);
}

/**
 * What to do instead when git could not be asked: the question as one about the text. None
 * where git was not in the plan.
 */
export function planWithoutGit(
  question: string,
  steps: readonly Pick<Step, 'tool'>[],
  tools: readonly Tool[],
): Step[] {
  return steps.some(({ tool }) => tool.startsWith('git.')) ? planQuestion(question, tools) : [];
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

function draftsByKind(question: string): Draft[] {
  switch (classifyQuestion(question)) {
    case 'todo':
      return planTodo(question);
    case 'list':
      return planList(question);
    case 'show':
      return planShow(question);
    case 'where':
      return planWhere(question);
    case 'how':
      return planHow(question);
  }
}

function planHistory(wish: HistoryWish): Draft[] {
  switch (wish.about) {
    case 'status':
      return [
        { tool: 'git.status', input: {} },
        ...(wish.patch ? [{ tool: 'git.diff', input: { from: 'HEAD' } }] : []),
      ];
    case 'branches':
      return [
        { tool: 'git.status', input: {} },
        { tool: 'git.branches', input: {} },
      ];
    case 'tags':
      return [{ tool: 'git.branches', input: { tags: true } }];
    case 'commit':
      return [{ tool: 'git.show', input: { commit: wish.commit } }];
    case 'compare':
      return [
        { tool: 'git.log', input: { from: `${wish.from}..${wish.to}`, limit: 10, count: true } },
        { tool: 'git.diff', input: { from: wish.from, to: wish.to } },
      ];
    case 'authors':
      return [
        { tool: 'file.find', input: { pattern: wish.path, limit: 5 } },
        { tool: 'git.blame', input: { path: from('s1', '/paths/0'), authorsOnly: true } },
        { tool: 'git.log', input: { paths: [from('s1', '/paths/0')], limit: 5 } },
      ];
    case 'log': {
      const { limit, path, since, from: range, author, count } = wish;
      return [
        {
          tool: 'git.log',
          input: {
            limit,
            ...(since === undefined ? {} : { since }),
            ...(range === undefined ? {} : { from: range }),
            ...(author === undefined ? {} : { author }),
            ...(path === undefined ? {} : { paths: [path] }),
            ...(count === true ? { count } : {}),
          },
        },
      ];
    }
  }
}

function planStructure(wish: CodeWish): Draft[] {
  switch (wish.about) {
    case 'references':
      return [
        { tool: 'search.references', input: { name: wish.name, limit: 50 } },
        { tool: 'search.symbols', input: { name: wish.name, limit: 3 } },
      ];
    case 'imports':
      return [
        { tool: 'file.find', input: { pattern: wish.path, limit: 5 } },
        {
          tool: 'search.imports',
          input: { path: from('s1', '/paths/0'), direction: wish.direction },
        },
      ];
    case 'outline':
      return planOutline(wish);
    case 'complexity':
      return [
        {
          tool: 'search.complexity',
          input: { limit: 20, ...(wish.path === undefined ? {} : { path: wish.path }) },
        },
      ];
  }
}

function planOutline({ path, kind }: Extract<CodeWish, { about: 'outline' }>): Draft[] {
  const input = { limit: 100, ...(kind === undefined ? {} : { kind }) };
  if (!/\.\w+$/.test(path)) return [{ tool: 'search.symbols', input: { path, ...input } }];
  return [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'search.symbols', input: { path: from('s1', '/paths/0'), ...input } },
  ];
}

/** A word that is no path of the workspace is one of the text: `how big is the cache?`. */
function planSize(wish: SizeWish): Draft[] {
  if (wish.about === 'place') {
    const globs = wish.globs === undefined ? {} : { globs: wish.globs };
    return [{ tool: 'file.stat', input: { path: wish.path, count: true, ...globs } }];
  }
  return [
    { tool: 'file.find', input: { pattern: wish.pattern, limit: 5 } },
    { tool: 'file.stat', input: { path: from('s1', '/paths/0'), count: true } },
  ];
}

function planTodo(question: string): Draft[] {
  const [path] = pathsIn(question);
  const type = /\b(fixme|hack)s?\b/i.exec(question)?.[1]?.toUpperCase();
  const input = {
    ...(path === undefined ? {} : { path }),
    ...(type === undefined ? {} : { type }),
  };
  return [
    { tool: 'search.todos', input },
    { tool: 'file.find', input: { pattern: '{TODO,ROADMAP,BACKLOG}*' } },
  ];
}

function planList(question: string): Draft[] {
  const wish = fileWish(question);
  if (wish === undefined) return planHow(question);
  const place = wish.path === undefined ? {} : { path: wish.path };
  if (wish.tree && wish.pattern === '*')
    return [{ tool: 'file.tree', input: { ...place, depth: 3 } }];
  return [
    { tool: 'file.find', input: { pattern: wish.pattern, ...place } },
    { tool: 'file.stat', input: { paths: from('s1', '/paths') } },
  ];
}

function planShow(question: string): Draft[] {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  if (path !== undefined) {
    return [
      { tool: 'file.find', input: { pattern: path, limit: 5 } },
      { tool: 'file.read', input: { path: from('s1', '/paths/0'), ...linesIn(question, path) } },
    ];
  }
  if (/\b(?:folder|directory)\b/i.test(question) && fileWish(question)?.path !== undefined)
    return planList(question);
  const name = identifiersIn(question)[0] ?? definedIn(question);
  if (name === undefined) return planHow(question);
  const isName = /^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(name);
  const found = isName ? '/symbols/0' : '/matches/0';
  return [
    isName
      ? { tool: 'search.symbols', input: { name, limit: 10 } }
      : { tool: 'search.grep', input: { pattern: name, literal: true, limit: 10 } },
    {
      tool: 'file.read',
      input: { path: from('s1', `${found}/path`), around: from('s1', `${found}/line`) },
    },
    passages(question),
  ];
}

/** `show class Runner`, `show me the function main`: one plain word, and nothing behind it. */
function definedIn(question: string): string | undefined {
  const name =
    /\b(?:class|struct|interface|trait|enum|type|function|method|module|constant|def|fn|func)\s+([\p{L}_]\w*)\s*[?.!]*\s*$/u.exec(
      question,
    )?.[1];
  return name !== undefined && contentWords(name).length > 0 ? name : undefined;
}

function planWhere(question: string): Draft[] {
  const [name] = identifiersIn(question);
  const steps = [passages(question), readAround('s1', 0)];
  if (name !== undefined) {
    steps.push({ tool: 'search.grep', input: { pattern: name, literal: true, limit: 30 } });
  }
  return steps;
}

function planHow(question: string): Draft[] {
  return [passages(question), readAround('s1', 0), readAround('s1', 1)];
}

/** With what the kernel ranks them again by. */
function passages(question: string): Draft {
  return { tool: 'search.passages', input: { question, regions: true } };
}

/** The definition around the passage of this rank. */
function readAround(step: string, rank: number): Draft {
  return {
    tool: 'file.read',
    input: {
      path: from(step, `/passages/${rank}/path`),
      around: from(step, `/passages/${rank}/line`),
    },
  };
}

/** `lines 5 to 7`, `line 12`, and places as answers print them: `a.ts:5-7`, `a.ts:12`. */
function linesIn(question: string, path: string): StepInput {
  const behind = question.slice(question.indexOf(path) + path.length);
  const place = /^:(\d+)(?:[-–](\d+))?/.exec(behind);
  if (place?.[2] !== undefined) return { start: Number(place[1]), end: Number(place[2]) };
  if (place !== null) return { around: Number(place[1]) };
  const range = /\blines?\s+(\d+)\s*(?:-|–|to|through|and|until)\s*(\d+)/i.exec(question);
  if (range !== null) return { start: Number(range[1]), end: Number(range[2]) };
  const line = /\bline\s+(\d+)/i.exec(question);
  return line === null ? {} : { start: Number(line[1]), end: Number(line[1]) };
}

/**
 * Tools of other plugins that the question plainly speaks of: at least half of its words are
 * the tool's, and all it requires stands in the question.
 */
function draftsByTools(question: string, tools: readonly Tool[]): Draft[] {
  const words = contentWords(question).length;
  const [best] = chooseTools(question, tools).filter(({ tool }) => !isOwn(tool));
  if (best === undefined || words === 0) return [];
  const spoken = `${best.tool.name} ${best.tool.description}`.toLowerCase();
  const shared = contentWords(question).filter((word) => spoken.includes(word.replace(/s$/, '')));
  if (shared.length < 2 || shared.length * 2 < words) return [];
  const input = fillInput(best.tool, question);
  return input === undefined ? [] : [{ tool: best.tool.name, input }];
}

/** The rules above know these; they are not chosen a second time by their words. */
function isOwn(tool: Tool): boolean {
  return ['file', 'search', 'git', 'shell'].includes(tool.plugin);
}

function from(step: string, path: string): InputRef {
  return { $from: step, path };
}

function collectReferences(value: unknown, needs: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('$from' in value && typeof value.$from === 'string') needs.add(value.$from);
  for (const item of Object.values(value)) collectReferences(item, needs);
}
