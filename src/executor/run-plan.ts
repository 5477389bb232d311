import { KernelError } from '../contracts/error.ts';
import type { Plan, Step, StepResult, StepStatus } from '../contracts/plan.ts';
import type { HostCall, Json, ToolEvent, ToolInvoker, ToolOutput } from '../contracts/tool.ts';
import { createEventQueue } from '../lib/event-queue.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { resolveInput } from './resolve-input.ts';

export type ExecutorEvent =
  | { type: 'step-started'; step: Step }
  | { type: 'tool-event'; step: Step; event: ToolEvent }
  | { type: 'step-finished'; step: Step; result: StepResult };

export type RunPlanOptions = {
  tools: ToolInvoker;
  clock: { nowMs(): number };
  signal: AbortSignal;
  /** of one step, every attempt for itself */
  stepTimeoutMs: number;
  /** steps that may run at once */
  maxParallel: number;
};

/**
 * Runs a plan: steps start when what they need is there, reads in parallel, what writes
 * alone and in plan order. A step that needs a failed one is skipped. Only a bug throws; failures
 * are results.
 *
 * @param plan checked, its steps in an order in which needs come first
 * @returns the results in plan order, whatever finished first
 */
export async function* runPlan(
  plan: Plan,
  options: RunPlanOptions,
): AsyncGenerator<ExecutorEvent, StepResult[], undefined> {
  const queue = createEventQueue<ExecutorEvent>();
  const results = new Map<string, StepResult>();
  const outputs = new Map<string, Json>();
  const waiting = new Set(plan.steps);
  const running = new Set<Step>();

  const finish = (step: Step, result: StepResult): void => {
    results.set(step.id, result);
    if (result.output !== undefined)
      outputs.set(step.id, parseContent(result.output.content) as Json);
    queue.push({ type: 'step-finished', step, result });
  };

  const advance = (): void => {
    for (const step of [...waiting]) {
      if (!step.needs.every((need) => results.has(need))) continue;
      if (!mayStart(step, running, plan, waiting, options.maxParallel)) continue;
      waiting.delete(step);
      const failed = step.needs.find((need) => results.get(need)?.status !== 'ok');
      if (failed !== undefined) {
        finish(step, skipped(step, `step ${failed} did not succeed`));
        continue;
      }
      start(step);
    }
    // Skips may have made further steps ready.
    if (running.size === 0 && waiting.size > 0) advance();
    else if (running.size === 0) queue.close();
  };

  const start = (step: Step): void => {
    let input: StepResult['input'];
    try {
      input = resolveInput(step.input, outputs);
    } catch (thrown) {
      finish(step, skipped(step, KernelError.from(thrown, 'internal').message));
      return;
    }
    running.add(step);
    queue.push({ type: 'step-started', step });
    runStep(step, input, options, (event) => queue.push({ type: 'tool-event', step, event })).then(
      (result) => {
        running.delete(step);
        finish(step, result);
        advance();
      },
      (thrown: unknown) => queue.fail(thrown),
    );
  };

  advance();
  yield* queue.values();
  return plan.steps.map((step) => results.get(step.id) as StepResult);
}

/**
 * Reads run together. A step that writes waits for all steps before it, and all steps after it wait
 * for it. So a read sees exactly the writes before it in the plan.
 */
function mayStart(
  step: Step,
  running: ReadonlySet<Step>,
  plan: Plan,
  waiting: ReadonlySet<Step>,
  maxParallel: number,
): boolean {
  if (running.size >= maxParallel) return false;
  const reads = (other: Step): boolean => other.effect === 'pure' || other.effect === 'read';
  const earlier = plan.steps.slice(0, plan.steps.indexOf(step)).filter((one) => waiting.has(one));
  if (!reads(step)) return running.size === 0 && earlier.length === 0;
  return [...running].every(reads) && earlier.every(reads);
}

async function runStep(
  step: Step,
  input: StepResult['input'],
  options: RunPlanOptions,
  onEvent: (event: ToolEvent) => void,
): Promise<StepResult> {
  const startedMs = options.clock.nowMs();
  const hostCalls: HostCall[] = [];
  const call = { tool: step.tool, input: input as StepInputValue };
  for (let attempts = 1; ; attempts += 1) {
    const done = (rest: Pick<StepResult, 'status' | 'output' | 'error'>): StepResult => ({
      step: step.id,
      tool: step.tool,
      needs: step.needs,
      input,
      attempts,
      durationMs: options.clock.nowMs() - startedMs,
      hostCalls,
      ...rest,
    });
    try {
      let output: ToolOutput | undefined;
      const events = options.tools.invoke(call, {
        signal: options.signal,
        timeoutMs: options.stepTimeoutMs,
        step: step.id,
      });
      for await (const event of events) {
        if (event.type === 'host-call' && event.by === 'plugin') hostCalls.push(event.call);
        if (event.type === 'output') output = event.output;
        else onEvent(event);
      }
      if (output === undefined)
        throw new KernelError('internal', `${step.tool} returned no output`);
      return done({ status: 'ok', output });
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      if (!isTransient(step, error) || attempts >= maxAttempts || options.signal.aborted) {
        return done({ status: statusOf(error), error });
      }
    }
  }
}

type StepInputValue = Parameters<ToolInvoker['invoke']>[0]['input'];

/** A read that failed for a temporary reason is tried once more. Anything else could act twice. */
const maxAttempts = 2;

function isTransient(step: Step, error: KernelError): boolean {
  return (step.effect === 'pure' || step.effect === 'read') && error.code === 'unavailable';
}

function statusOf(error: KernelError): StepStatus {
  if (error.code === 'permission-denied') return 'denied';
  if (error.code === 'deadline-exceeded') return 'timeout';
  if (error.code === 'canceled') return 'canceled';
  return 'error';
}

function skipped(step: Step, reason: string): StepResult {
  const error = new KernelError('not-found', reason, {
    hint: 'Fix the step before it; its error says how.',
  });
  const { id, tool, needs, input } = step;
  const base = { step: id, tool, needs, input, attempts: 0, durationMs: 0 };
  return { ...base, status: 'skipped', error, hostCalls: [] };
}
