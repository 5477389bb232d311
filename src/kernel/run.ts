import { KernelError } from '../contracts/error.ts';
import type { RunEvent } from '../contracts/events.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type { KernelCore } from './core.ts';
import type { JournaledRun } from './journaled-run.ts';
import type { RunOptions } from './kernel-options.ts';
import type { KernelPlugins } from './plugins/create-plugins.ts';
import { findTool, outputOf, shownContent } from './run-tool.ts';

/** Runs one tool; ends with `result` and `run-finished`, or `error` and `run-finished`. */
export type RunTool = (
  tool: string,
  input: JsonObject,
  options?: RunOptions,
) => AsyncGenerator<RunEvent, void, undefined>;

export function createRun(
  core: KernelCore,
  { plugins, journaledRun }: { plugins: KernelPlugins; journaledRun: JournaledRun },
): RunTool {
  const { config, runs } = core;
  const { host, makePlan } = plugins;

  const run = (name: string, input: JsonObject, signal: AbortSignal): ReturnType<RunTool> =>
    journaledRun(
      { command: 'run', question: name, model: 'none' },
      async function* ({ scope, execute }) {
        const { workspace } = config;
        yield { type: 'run-started', command: 'run', tool: name, workspace, model: 'none' };
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        const tools = await host().tools();
        const tool = findTool(tools, name);
        host().warm(tool.plugin);
        const { effect } = tool;
        const plan = makePlan([{ id: 's1', tool: name, input, needs: [], effect }], tools);
        yield { type: 'plan', ...plan };
        const [result] = yield* execute(plan, tools, host());
        const output = outputOf(result);
        scope.programFailed = tellsFailure(output.content);
        const content = shownContent(output.content, config.maxOutputBytes);
        yield { type: 'result', content, summary: output.summary };
      },
      signal,
    );
  return (tool, input, { signal } = {}) => runs.start(signal, (ending) => run(tool, input, ending));
}

/** Whether a result is that of a program, or of tests, which did not end with 0. */
function tellsFailure(content: string): boolean {
  if (!content.startsWith('{')) return false;
  try {
    const { exitCode } = JSON.parse(content) as { exitCode?: unknown };
    return Number.isInteger(exitCode) && exitCode !== 0;
  } catch {
    return false;
  }
}
