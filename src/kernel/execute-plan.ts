import type { UnstampedEvent } from '../contracts/events.ts';
import type { Plan, StepResult } from '../contracts/plan.ts';
import type { HostCall, Tool, ToolEvent, ToolInvoker } from '../contracts/tool.ts';
import { runPlan } from '../executor/run-plan.ts';
import type { RunJournal } from '../journal/record-run.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { errorBody, type RunScope } from './run-events.ts';

/** Steps that run at once. */
const maxParallel = 8;

export type ExecuteOptions = {
  tools: readonly Tool[];
  invoker: ToolInvoker;
  journal: RunJournal;
  scope: RunScope;
  clock: Clock;
  signal: AbortSignal;
  stepTimeoutMs: number;
  /** log lines and progress of tools, for the person who waits */
  onToolEvent(tool: string, event: ToolEvent): void;
  /** called for each step as it ends, once it is in the journal */
  onResult(result: StepResult): void;
};

/** Runs a plan as events of a run, each step in the journal; returns results in plan order. */
export async function* executePlan(
  plan: Plan,
  options: ExecuteOptions,
): AsyncGenerator<UnstampedEvent, StepResult[], undefined> {
  const { tools, invoker, journal, scope, clock, signal, stepTimeoutMs } = options;
  const toolOf = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);
  const ofRun: ToolInvoker = {
    tools: () => invoker.tools(),
    invoke: (call, more) => {
      const record = (served: HostCall): void => journal.served(more.step ?? '', served);
      return invoker.invoke(call, { ...more, run: scope.id, record });
    },
  };
  const events = runPlan(plan, { tools: ofRun, clock, signal, stepTimeoutMs, maxParallel });
  let running = 0;
  let busySinceMs = 0;
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
    const event = next.value;
    if (event.type === 'step-started') {
      if (running === 0) busySinceMs = clock.nowMs();
      running += 1;
      const tool = toolOf(event.step.tool);
      yield {
        type: 'step-started',
        step: event.step.id,
        tool: event.step.tool,
        plugin: tool?.plugin ?? '',
        digest: tool?.digest ?? '',
      };
    } else if (event.type === 'tool-event') {
      options.onToolEvent(event.step.tool, event.event);
    } else {
      const { result } = event;
      if (result.attempts > 0) {
        running -= 1;
        if (running === 0) scope.toolMs += clock.nowMs() - busySinceMs;
      }
      journal.step(result, toolOf(result.tool));
      options.onResult(result);
      yield {
        type: 'step-finished',
        step: result.step,
        status: result.status,
        summary: result.output?.summary ?? result.error?.message ?? '',
        durationMs: result.durationMs,
        bytes: result.output === undefined ? 0 : Buffer.byteLength(result.output.content),
        ...(result.error === undefined ? {} : { error: errorBody(result.error) }),
      };
    }
  }
}
