import { runPlan } from '../agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { RunEvent } from '../contracts/events.ts';
import { notReadOf } from '../contracts/not-read.ts';
import type { NestedCalls, Plan, Step, StepResult } from '../contracts/plan.ts';
import { isReading, type JsonObject, type Rehearsal, type Tool } from '../contracts/tool.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';
import type { KernelConsent } from './consent/create-consent.ts';
import type { KernelCore } from './core.ts';
import type { JournaledRun } from './journaled-run.ts';
import { type ToolRunOptions, wordsOf } from './kernel-options.ts';
import type { KernelPlugins } from './plugins/create-plugins.ts';

/** Runs one tool; ends with `result` and `run-finished`, or `error` and `run-finished`. */
export type RunTool = (
  tool: string,
  input: JsonObject,
  options?: ToolRunOptions,
) => AsyncGenerator<RunEvent, void, undefined>;

export function createRun(
  core: KernelCore,
  parts: { plugins: KernelPlugins; consent: KernelConsent; journaledRun: JournaledRun },
): RunTool {
  const { config, runs } = core;
  const { consent, journaledRun } = parts;
  const { host, makePlan } = parts.plugins;

  const run = (
    name: string,
    input: JsonObject,
    options: Omit<ToolRunOptions, 'signal'>,
    signal: AbortSignal,
  ): ReturnType<RunTool> =>
    journaledRun(
      { ...wordsOf('run', name, options.client), model: 'none' },
      async function* ({ scope, execute }) {
        const { admit, afterReading, client, isWhole, onToolEvent } = options;
        const { workspace } = config;
        yield { type: 'run-started', command: 'run', tool: name, workspace, model: 'none' };
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        const tools = await host().tools();
        const tool = findTool(tools, name);
        host().warm(tool.plugin);
        const { effect } = tool;
        if (afterReading !== undefined) consent.noteRead(scope.id, afterReading);
        const told = onToolEvent === undefined ? {} : { onToolEvent };
        // The model of a client sees what its script read, and has written the script.
        const nested: NestedCalls =
          client === undefined
            ? {}
            : { done: (result) => consent.noteRead(scope.id, `what ${result.tool} gave`) };
        if (admit !== undefined) nested.admit = admit;
        const [result] = yield* runPlan([{ id: 's1', tool: name, input, needs: [], effect }], {
          makePlan: (steps) => makePlan(steps, tools),
          execute: (plan, how) => execute(plan, tools, host(), { ...how, ...told, nested }),
          signal,
        });
        const output = outputOf(result);
        scope.programFailed = tellsFailure(output.content);
        const content = isWhole
          ? output.content
          : shownContent(output.content, config.maxOutputBytes);
        const notRead = notReadOf(result === undefined ? [] : [result]);
        const missed = notRead.length === 0 ? {} : { notRead };
        yield { type: 'result', content, summary: output.summary, ...missed };
      },
      signal,
    );
  return (tool, input, { signal, ...options } = {}) =>
    runs.start(signal, (ending) => run(tool, input, options, ending));
}

/** @throws {KernelError} what the step failed with */
function outputOf(result: StepResult | undefined): { content: string; summary: string } {
  if (result?.output !== undefined) return result.output;
  throw result?.error ?? new KernelError('internal', 'the step gave neither output nor error');
}

/** @throws {KernelError} `not-found` with the nearest names, else those of its plugin, or of all */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const hint = 'See what each does with: cuervo tools';
  const nearest = didYouMean(
    name,
    tools.map((tool) => tool.name),
  );
  if (nearest !== '')
    throw new KernelError('not-found', `there is no tool "${name}"${nearest}`, { hint });
  const [plugin] = name.split('.');
  const own = name.slice(name.indexOf('.') + 1);
  const near = tools.filter((tool) => tool.plugin === plugin || tool.name.endsWith(`.${own}`));
  const names = near.map((tool) => tool.name).join(', ');
  const plugins = [...new Set(tools.map((tool) => tool.plugin))].join(', ');
  // All of the tools would fill a screen.
  const others =
    near.length > 0 ? `there is ${names}` : `there are those of ${plugins || 'no plugin'}`;
  throw new KernelError('not-found', `there is no tool "${name}"; ${others}`, { hint });
}

/**
 * Content as it is shown. Text above `maxBytes` loses its middle; JSON is left whole,
 * because half of it is of no use to anyone (its size is bounded by the result limit).
 */
function shownContent(content: string, maxBytes: number): string {
  const isJson = /^\s*[[{]/.test(content) && parseContent(content) !== content;
  return isJson ? content : truncateMiddle(content, maxBytes);
}

/** Whether a result is that of a program, or of tests, which did not end with 0. */
function tellsFailure(content: string): boolean {
  if (!content.startsWith('{')) return false;
  const { exitCode } = parseContent(content) as { exitCode?: unknown };
  return Number.isInteger(exitCode) && exitCode !== 0;
}

const scriptTool = 'script.run';
/** The most reads that a plan lists. */
const maxReads = 40;
const maxMs = 10_000;

/** What a script calls up to its first change. */
export type ScriptPlan = Plan & {
  /** the number of reads that are not listed */
  more: number;
  /** it ended without a change */
  isWhole: boolean;
};

/**
 * Rehearses a script: makes its reading calls, and ends it before its first change.
 *
 * @param input of `script.run`
 * @throws {KernelError} what the script fails with before that
 */
export type PlanScript = (
  input: JsonObject,
  options?: { signal?: AbortSignal },
) => Promise<ScriptPlan>;

export function createPlanScript(plugins: KernelPlugins): PlanScript {
  return async (input, { signal = new AbortController().signal } = {}) =>
    await planScript(plugins, input, signal);
}

async function planScript(
  { host, makePlan }: KernelPlugins,
  input: JsonObject,
  signal: AbortSignal,
): Promise<ScriptPlan> {
  const tools = await host().tools();
  findTool(tools, scriptTool);
  const reads: Step[] = [];
  let change: Step | undefined;
  const rehearsal: Rehearsal = {
    step: 's1',
    onCall: ({ tool, input: given, effect }) => {
      if (change !== undefined) return;
      const step: Step = { id: `s${reads.length + 1}`, tool, input: given, needs: [], effect };
      if (isReading(effect)) reads.push(step);
      else change = step;
    },
  };
  try {
    const call = { tool: scriptTool, input };
    for await (const _ of host().invoke(call, { signal, timeoutMs: maxMs, rehearsal }));
  } catch (thrown) {
    if (change === undefined || signal.aborted) throw KernelError.from(thrown, 'internal');
  }
  const steps = reads.slice(0, maxReads).concat(change ?? []);
  return {
    ...makePlan(steps, tools),
    more: Math.max(0, reads.length - maxReads),
    isWhole: change === undefined,
  };
}
