import { KernelError } from '../contracts/error.ts';
import type {
  InputRef,
  NestedCalls,
  Plan,
  Step,
  StepInput,
  StepResult,
  StepStatus,
} from '../contracts/plan.ts';
import {
  type HostCall,
  isReading,
  type Json,
  type JsonObject,
  type Nest,
  type ToolEvent,
  type ToolInvoker,
  type ToolOutput,
} from '../contracts/tool.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { createEventQueue, createTurns } from '../lib/turns.ts';

export type ExecutorEvent =
  | { type: 'step-started'; step: Step }
  | { type: 'tool-event'; step: Step; event: ToolEvent }
  | { type: 'step-finished'; step: Step; result: StepResult };

export type RunPlanOptions = {
  nested?: NestedCalls | undefined;
  tools: ToolInvoker;
  clock: { nowMs(): number };
  signal: AbortSignal;
  /** of one step, every attempt for itself */
  stepTimeoutMs: number;
  /** steps that may run at once */
  maxParallel: number;
};

/** Calls that tools make in one plan, of all depths. */
const maxNested = 1000;
/** Calls of one depth that run at once. */
const maxNestedParallel = 4;

/** A plan with the calls that its tools make. */
type Running = RunPlanOptions & {
  onEvent(event: ExecutorEvent): void;
  /** turns of calls, by depth: one only waits for deeper ones, so that none waits for itself */
  turns: ReturnType<typeof createTurns>[];
  made: { nested: number };
  /** see `InvokeOptions`; a call of a tool has no references in its input */
  chain: readonly string[];
};

/**
 * Runs a plan: steps start when what they need is there, reads in parallel, what writes
 * alone and in plan order. A step that needs a failed one is skipped. Only a bug throws; failures
 * are results. What tools call becomes steps of its own, `s1.1` below `s1`, which are told as events
 * alone.
 *
 * @param plan checked, its steps in an order in which needs come first
 * @returns the results in plan order, whatever finished first
 */
export async function* runPlan(
  plan: Plan,
  options: RunPlanOptions,
): AsyncGenerator<ExecutorEvent, StepResult[], undefined> {
  const queue = createEventQueue<ExecutorEvent>();
  const more = { onEvent: queue.push, turns: [], made: { nested: 0 }, chain: [] };
  const results = runSteps(plan.steps, { ...options, ...more });
  results.then(queue.close, queue.fail);
  yield* queue.values();
  return await results;
}

function runSteps(steps: readonly Step[], options: Running): Promise<StepResult[]> {
  const { onEvent, chain } = options;
  const { promise, resolve, reject } = Promise.withResolvers<StepResult[]>();
  const results = new Map<string, StepResult>();
  const outputs = new Map<string, Json>();
  const waiting = new Set(steps);
  const running = new Set<Step>();
  const end = (): void => resolve(steps.map((step) => results.get(step.id) as StepResult));

  const finish = (step: Step, result: StepResult): void => {
    results.set(step.id, result);
    if (chain.length > 0) options.nested?.done?.(result);
    if (result.output !== undefined)
      outputs.set(step.id, parseContent(result.output.content) as Json);
    onEvent({ type: 'step-finished', step, result });
  };

  const advance = (): void => {
    for (const step of [...waiting]) {
      if (!step.needs.every((need) => results.has(need))) continue;
      if (!mayStart(step, running, steps, waiting, options.maxParallel)) continue;
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
    else if (running.size === 0) end();
  };

  const start = (step: Step): void => {
    let input: StepResult['input'];
    try {
      input = chain.length > 0 ? step.input : resolveInput(step.input, outputs);
    } catch (thrown) {
      finish(step, skipped(step, KernelError.from(thrown, 'internal').message));
      return;
    }
    running.add(step);
    onEvent({ type: 'step-started', step });
    runStep(step, input, options).then((result) => {
      running.delete(step);
      finish(step, result);
      advance();
    }, reject);
  };

  advance();
  return promise;
}

/** The turn of a step at its depth; a plan starts its own steps itself. */
async function turnOf({ chain, turns, signal }: Running): Promise<Disposable | undefined> {
  if (chain.length === 0) return undefined;
  turns[chain.length] ??= createTurns(maxNestedParallel);
  return await turns[chain.length]?.take(signal);
}

/** What `step` calls, as steps below it. */
function createNest(step: Step, options: Running): Nest {
  let number = 0;
  return async (asked, chain) => {
    const { made, nested } = options;
    if (made.nested + asked.length > maxNested) {
      const text = `the tools of this plan called ${made.nested} others, limit ${maxNested}`;
      throw new KernelError('resource-exhausted', text, {
        hint: 'Let the script ask for more at once, as with a wider pattern.',
      });
    }
    const calls = nested?.admit?.(asked) ?? asked;
    made.nested += calls.length;
    const steps = calls.map(({ tool, input, effect }): Step => {
      number += 1;
      return { id: `${step.id}.${number}`, tool, input, needs: [], effect };
    });
    const results = await runSteps(steps, { ...options, chain });
    return results.map(({ output, error }) => {
      if (output !== undefined) return output;
      return error ?? new KernelError('internal', 'a step gave neither output nor error');
    });
  };
}

/**
 * Reads run together. A step that writes waits for all steps before it, and all steps after it wait
 * for it. So a read sees exactly the writes before it in the plan.
 */
function mayStart(
  step: Step,
  running: ReadonlySet<Step>,
  steps: readonly Step[],
  waiting: ReadonlySet<Step>,
  maxParallel: number,
): boolean {
  if (running.size >= maxParallel) return false;
  const reads = (other: Step): boolean => isReading(other.effect);
  const earlier = steps.slice(0, steps.indexOf(step)).filter((one) => waiting.has(one));
  if (!reads(step)) return running.size === 0 && earlier.length === 0;
  return [...running].every(reads) && earlier.every(reads);
}

async function runStep(
  step: Step,
  input: StepResult['input'],
  options: Running,
): Promise<StepResult> {
  const { onEvent, chain } = options;
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
      using _ = await turnOf(options);
      let output: ToolOutput | undefined;
      const events = options.tools.invoke(call, {
        signal: options.signal,
        timeoutMs: options.stepTimeoutMs,
        step: step.id,
        chain,
        nest: createNest(step, options),
      });
      for await (const event of events) {
        if (event.type === 'host-call' && event.by === 'plugin') hostCalls.push(event.call);
        if (event.type === 'output') output = event.output;
        else onEvent({ type: 'tool-event', step, event });
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
  return isReading(step.effect) && error.code === 'unavailable';
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

function isInputRef(value: unknown): value is InputRef {
  return typeof value === 'object' && value !== null && '$from' in value && 'path' in value;
}

/**
 * The input with every reference replaced by the value it points at.
 *
 * @param outputs parsed content of the finished steps, by step id
 * @throws {KernelError} `not-found` when an output has nothing at that place
 */
export function resolveInput(input: StepInput, outputs: ReadonlyMap<string, Json>): JsonObject {
  return resolveValue(input, outputs) as JsonObject;
}

function resolveValue(value: Json, outputs: ReadonlyMap<string, Json>): Json {
  if (isInputRef(value)) return followRef(value, outputs);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, outputs));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [
      key,
      resolveValue(item, outputs),
    ]);
    return Object.fromEntries(entries);
  }
  return value;
}

function followRef(ref: InputRef, outputs: ReadonlyMap<string, Json>): Json {
  let value: Json | undefined = outputs.get(ref.$from);
  const tokens = ref.path === '' ? [] : ref.path.slice(1).split('/');
  for (const token of tokens) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = valueAt(value, key);
  }
  if (value === undefined) {
    throw new KernelError('not-found', `step ${ref.$from} returned nothing at ${ref.path}`);
  }
  return value;
}

function valueAt(holder: Json | undefined, key: string): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key))
    return undefined;
  // A list has items and nothing else; `length` is JavaScript's.
  if (Array.isArray(holder)) return /^\d+$/.test(key) ? holder[Number(key)] : undefined;
  return holder[key];
}
