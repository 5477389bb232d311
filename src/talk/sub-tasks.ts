import type { BudgetMeter, RunSteps, ToolFacts, Turn } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { UnstampedEvent } from '../contracts/events.ts';
import { skillTool, taskTool } from '../contracts/kernel-tools.ts';
import type { ChatModel } from '../contracts/model.ts';
import type { StepResult } from '../contracts/plan.ts';
import { noCompaction } from '../contracts/talk.ts';
import {
  type InvokeOptions,
  isReading,
  type JsonObject,
  type Nest,
  type Tool,
  type ToolOutput,
} from '../contracts/tool.ts';
import { createTurns } from '../lib/turns.ts';
import { converse } from './converse.ts';
import { newMarker } from './talk-book.ts';
import type { ProjectWords, TalkPorts } from './talk-ports.ts';

/** Side by side, of one depth. */
const maxTogether = 3;
/** How deep sub-tasks may nest: two levels below the conversation. */
const maxDepth = 2;
const defaultRounds = 8;
/** Rounds that the parent conversation keeps to tell the result. */
const keptRounds = 2;
const maxAnswerCharacters = 20_000;

type TaskInput = { goal: string; tools?: string[]; recipe?: string; budget?: TaskBudget };
type TaskBudget = { rounds?: number; tokens?: number };

export type TaskPorts = Omit<TalkPorts, 'given' | 'images'> & {
  model: ChatModel | undefined;
  budget(): BudgetMeter;
  /** as any question is read, in words of nobody at a prompt */
  intentOf(goal: string): Turn['intent'];
  /** the instructions of a recipe, and the tools that it leaves. @throws {KernelError} */
  recipe(name: string, tools: readonly Tool[]): { words: ProjectWords; tools: readonly Tool[] };
  /** tools of these names, or of the plugins of these names */
  named(tools: readonly Tool[], names: readonly string[]): readonly Tool[];
  /** writes down an event that belongs to the run and is no word to the person */
  told(event: UnstampedEvent): void;
};

export type SubTasks = {
  /** whether a task with this input has reading tools alone, so that others may run beside it */
  onlyReads(input: JsonObject): boolean;
  run(input: JsonObject, options: InvokeOptions): Promise<ToolOutput>;
};

/**
 * Conversations within a conversation: each has its own context, tools and rounds of the one above
 * and no others, and gives one answer. What it calls are steps below the step that began it, decided
 * and journaled as any.
 */
export function createSubTasks(ports: TaskPorts): SubTasks {
  const turns = Array.from({ length: maxDepth }, () => createTurns(maxTogether));

  const toolsOf = ({ tools: names, recipe }: TaskInput): readonly Tool[] => {
    const all = ports.tools.tools;
    const own =
      names === undefined ? all.filter(({ effect }) => isReading(effect)) : ports.named(all, names);
    return recipe === undefined ? own : ports.recipe(recipe, names === undefined ? all : own).tools;
  };

  const run: SubTasks['run'] = async (input, { chain = [], nest, signal }) => {
    const asked = input as TaskInput;
    const depth = chain.filter((name) => name === taskTool.name).length;
    const place = turns[depth];
    if (place === undefined || nest === undefined) {
      const text = `a sub-task begins no others at depth ${maxDepth}`;
      throw new KernelError('permission-denied', text, {
        hint: 'Do the rest with your own tools.',
      });
    }
    // A sub-task may choose no recipe: that would take tools from its parent, not from itself.
    const tools = toolsOf(asked).filter(({ name }) => name !== skillTool.name);
    if (tools.length === 0) {
      const text = 'you have none of the tools that were named for the sub-task';
      throw new KernelError('invalid-argument', text, { hint: 'Name tools, or leave them out.' });
    }
    const { model } = ports;
    if (model === undefined) throw new KernelError('internal', 'a sub-task without a model');
    using _ = await place.take(signal);
    const budget = shareOf(ports.budget(), asked.budget ?? {});
    const facts: ToolFacts = { ...ports.tools, tools };
    const results: StepResult[] = [];
    const turn: Turn = {
      question: asked.goal,
      intent: ports.intentOf(asked.goal),
      recalling: Promise.resolve({ sure: [], perhaps: [] }),
      run: stepsBelow(nest, [...chain, taskTool.name], ports.run.clock),
      ...{ budget, results, said: '' },
    };
    const project =
      asked.recipe === undefined ? ports.project : ports.recipe(asked.recipe, tools).words;
    const events = converse({
      ...{ turn, role: 'choose', model, memory: [], book: noBook() },
      baseline: noBaseline,
      ports: { ...ports, project, tools: facts, given: [], images: [] },
    });
    try {
      for (;;) {
        const { done, value } = await events.next();
        if (done) return outputOf(asked.goal, value.text, results.length);
        if (value.type === 'usage' || value.type === 'guard') ports.told(value);
      }
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      // It is not tried again by itself: that would cost as much again.
      const { message } = KernelError.from(thrown, 'internal');
      throw new KernelError('tool-failed', `the sub-task came to no answer: ${message}`, {
        cause: thrown,
        hint: 'Give it less to do, or do it yourself.',
      });
    }
  };
  return {
    onlyReads: (input) => toolsOf(input as TaskInput).every(({ effect }) => isReading(effect)),
    run,
  };
}

function outputOf(goal: string, text: string, calls: number): ToolOutput {
  const content = text.slice(0, maxAnswerCharacters);
  const short = goal.replace(/\s+/g, ' ').slice(0, 60);
  return { content, summary: `${short}: ${calls} calls` };
}

async function* noBaseline(): AsyncGenerator<never, readonly StepResult[], undefined> {
  yield* [];
  return [];
}

/**
 * Keeps nothing: the words of a sub-task belong to one step, and no conversation continues them.
 */
function noBook(): Parameters<typeof converse>[0]['book'] {
  const [turns, tools, runs] = [[], [], new Set<string>()];
  return { marker: newMarker(), compaction: noCompaction, keep: () => {}, turns, tools, runs };
}

/** Calls of a sub-task, as steps below its own. */
function stepsBelow(nest: Nest, chain: readonly string[], clock: { nowMs(): number }): RunSteps {
  return async function* (steps, { onResult } = {}) {
    if (steps.length === 0) return [];
    const startedMs = clock.nowMs();
    const outputs = await nest(
      steps.map(({ tool, input, effect }) => ({ tool, input: input as JsonObject, effect })),
      chain,
    );
    const results = steps.map(({ id, tool, input, needs }, at): StepResult => {
      const output = outputs[at];
      const shared = {
        ...{ step: id, tool, needs, input, attempts: 1, hostCalls: [] },
        durationMs: clock.nowMs() - startedMs,
      };
      if (output !== undefined && !(output instanceof KernelError))
        return { ...shared, status: 'ok', output };
      const error = output ?? new KernelError('internal', `${tool} gave nothing`);
      return { ...shared, status: error.code === 'permission-denied' ? 'denied' : 'error', error };
    });
    for (const result of results) onResult?.(result);
    return results;
  };
}

/** The parent's budget, with own lower limits for rounds and tokens. */
function shareOf(whole: BudgetMeter, asked: TaskBudget): BudgetMeter {
  const maxRounds = Math.min(asked.rounds ?? defaultRounds, defaultRounds * 2);
  const maxTokens = asked.tokens ?? Number.POSITIVE_INFINITY;
  let rounds = 0;
  let tokens = 0;
  const roundsLeft = (): number =>
    Math.max(0, Math.min(maxRounds - rounds, whole.roundsLeft() - keptRounds));
  return {
    ...whole,
    roundsLeft,
    takeRound: (promptTokens) => {
      if (roundsLeft() === 0) throw spent('rounds', rounds, maxRounds);
      if (tokens + promptTokens > maxTokens)
        throw spent('tokens', tokens + promptTokens, maxTokens);
      const covered = whole.takeRound(promptTokens);
      rounds += 1;
      return Math.max(1, Math.min(covered, maxTokens - tokens - promptTokens));
    },
    // Each call is counted where it is made.
    takeToolCalls: () => {},
    addUsage: (usage) => {
      tokens += usage.inputTokens + usage.outputTokens;
      return whole.addUsage(usage);
    },
  };
}

function spent(what: string, value: number, limit: number): KernelError {
  const text = `the budget of the sub-task is spent: ${value} ${what}, limit ${limit}`;
  return new KernelError('resource-exhausted', text, { hint: 'Give it less to do.' });
}
