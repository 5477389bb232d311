import { KernelError } from '../contracts/error.ts';
import type { Plan, Step } from '../contracts/plan.ts';
import { isReading, type JsonObject, type Rehearsal } from '../contracts/tool.ts';
import type { KernelPlugins } from './plugins/create-plugins.ts';
import { findTool } from './run.ts';

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
