import { projectChange, weakSettings } from '../consent/project-change.ts';
import type { Events, RunOptions } from '../contracts/agent.ts';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { RunEvent, UnstampedEvent } from '../contracts/events.ts';
import type { FileChanges } from '../contracts/file-changes.ts';
import type { NestedCalls, Plan, StepResult } from '../contracts/plan.ts';
import type { HostCall, Tool, ToolEvent, ToolInvoker } from '../contracts/tool.ts';
import { runPlan } from '../executor/run-plan.ts';
import { type RunJournal, type RunNote, recordRun } from '../journal/record-run.ts';
import { requireAnsweringMounts } from '../lib/files/answering-mounts.ts';
import { type Clock, newId } from '../lib/ids-clock.ts';
import { sayOnce } from '../lib/memo.ts';
import type { KernelConsent } from './consent/create-consent.ts';
import { foreseeNeeds } from './consent/foresee-needs.ts';
import type { KernelCore } from './core.ts';
import { errorBody, type RunScope, runEvents, toKernelError } from './run-events.ts';

/** Steps that run at once. */
const maxParallel = 8;

/** Events that the journal keeps as they are; it has rows of its own for the others. */
const kept: ReadonlySet<RunEvent['type']> = new Set(['plan', 'guard', 'usage', 'answer']);

/** Gets log lines and progress of tools, for the person who waits. */
type OnToolEvent = (tool: string, event: ToolEvent) => void;

type ExecuteOptions = {
  tools: readonly Tool[];
  invoker: ToolInvoker;
  journal: RunJournal;
  scope: RunScope;
  clock: Clock;
  signal: AbortSignal;
  stepTimeoutMs: number;
  onToolEvent: OnToolEvent;
  nested?: NestedCalls | undefined;
  /** called for each step as it ends, once it is in the journal */
  onResult(result: StepResult): void;
};

/** A run in progress. */
export type OpenRun = {
  scope: RunScope;
  /** Writes the run's first row; the first step would do it, too. */
  begin(session: string): Promise<unknown>;
  /** Journals an event that is not shown. */
  told(event: UnstampedEvent): void;
  /** Journals what was done for the run beside its events. */
  note(...note: RunNote): Promise<void>;
  execute(
    plan: Plan,
    tools: readonly Tool[],
    invoker: ToolInvoker,
    options?: RunOptions & { maxMs?: number; onToolEvent?: OnToolEvent },
  ): Events<StepResult[]>;
};

/** Runs a command as one run, journaled from its first step to its end. */
export type JournaledRun = (
  start: { command: string; question: string; model: string; modelFrom?: string },
  body: (run: OpenRun) => Events<void>,
  signal: AbortSignal,
) => AsyncGenerator<RunEvent, void, undefined>;

/** @param settle called before a run ends, to end what was started for it */
export function createJournaledRun(
  core: KernelCore,
  consent: KernelConsent,
  settle: (run: string, signal: AbortSignal) => Promise<void>,
): JournaledRun {
  const { config, clock, dry, store, warn } = core;
  const { callTimeoutMs: stepTimeoutMs } = core.limits;
  const { desk } = consent;
  const warnOnce = sayOnce(warn);
  const onToolEvent = core.options.onToolEvent ?? (() => {});
  const trace = async (endpoint: string, id: string): Promise<void> => {
    try {
      const { ofRun } = await store();
      const run = ofRun.run(id);
      if (run === undefined) return;
      const [{ otlpRequest, traceRun }, { sendTrace }] = await Promise.all([
        import('../journal/trace-run.ts'),
        import('./journal/send-trace.ts'),
      ]);
      const question = core.record.withoutSecrets(run.question);
      const withWords = config.otlp.words;
      const made = traceRun({ ...run, question }, ofRun.events(id), { withWords });
      await sendTrace(endpoint, otlpRequest([made]));
    } catch (thrown) {
      warnOnce(reasonOf(thrown));
    }
  };
  // The first run of a kernel warns of these.
  const weaknesses = weakSettings(config);

  return async function* (start, body, signal) {
    const scope: RunScope = { id: newId(clock.nowMs()), toolMs: 0, modelMs: 0 };
    for (const text of weaknesses.splice(0)) warn(text);
    let journal: RunJournal | undefined;
    const begin = async (session?: string): Promise<RunJournal> => {
      const row = { ...start, id: scope.id, session, project: config.workspace };
      if (session !== undefined) consent.bindSession(scope.id, session);
      const opened = await store();
      if (journal === undefined) {
        const { unwritable } = opened;
        if (unwritable !== undefined) {
          // Apply needs the changes of a dry run.
          if (dry !== undefined) throw unwritable;
          warnOnce(`nothing of this run is kept, and it can only read: ${unwritable.message}`);
        }
        const changed = projectChange(config, opened.ofRun);
        if (changed !== undefined) warn(changed);
      }
      journal ??= recordRun(opened.ofRun, row, core.record);
      // After the row: without one the copy could never be applied.
      dry?.bind(scope.id);
      return journal;
    };
    const note: OpenRun['note'] = async (...noted) => (await begin()).noted(...noted);
    const execute: OpenRun['execute'] = async function* (plan, tools, invoker, options = {}) {
      const { onResult = () => {}, maxMs = stepTimeoutMs } = options;
      const ports = { tools, invoker, journal: await begin(), scope, clock, signal };
      const base = { ...ports, stepTimeoutMs: Math.min(stepTimeoutMs, maxMs) };
      await foreseeNeeds(plan, { ...base, desk, run: scope.id });
      return yield* executePlan(plan, { ...base, onToolEvent, ...options, onResult });
    };
    const events = async function* (): Events<void> {
      await requireAnsweringMounts(config.workspace);
      try {
        try {
          for await (const event of body({
            ...{ scope, begin, note, execute },
            told: (event) => journal?.told(event),
          })) {
            if (kept.has(event.type)) (await begin()).told(event);
            yield event;
          }
        } finally {
          if (journal !== undefined) await settle(scope.id, signal);
        }
        const allowed = desk.allowedForTask(scope.id);
        if (allowed.length > 0)
          warn(
            `allowed for this task: ${allowed.join('; ')}. Undo it with: cuervo undo ${scope.id}`,
          );
      } catch (thrown) {
        // A dry run changed only a copy, which needs no undo.
        if (journal === undefined || dry !== undefined) throw thrown;
        throw tellUndo(thrown, scope.id, (await store()).changes);
      }
    };
    const onEnd = (error: KernelError | undefined): void => {
      consent.endRun(scope.id);
      journal?.finish(error);
    };
    try {
      yield* runEvents(scope, clock, events, onEnd);
    } finally {
      if (journal !== undefined && config.otlp.endpoint !== undefined)
        await trace(config.otlp.endpoint, scope.id);
    }
  };
}

/** Runs a plan as events of a run, each step in the journal; returns results in plan order. */
async function* executePlan(plan: Plan, options: ExecuteOptions): Events<StepResult[]> {
  const { tools, invoker, journal, scope, clock, signal, stepTimeoutMs } = options;
  const toolOf = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);
  const ofRun: ToolInvoker = {
    tools: () => invoker.tools(),
    invoke: (call, more) => {
      const record = (served: HostCall): void => journal.served(more.step ?? '', served);
      return invoker.invoke(call, { ...more, run: scope.id, record });
    },
  };
  const { nested } = options;
  const how = { tools: ofRun, clock, signal, stepTimeoutMs, maxParallel, nested };
  const events = runPlan(plan, how);
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

/** Codes of what ends a run in its midst. */
const cutOff: ReadonlySet<KernelError['code']> = new Set([
  ...(['canceled', 'deadline-exceeded', 'resource-exhausted', 'unavailable'] as const),
]);

/**
 * The end of a run. A run that changed files and was interrupted, or ran out of time, budget or
 * model, says how to undo the changes.
 */
function tellUndo(thrown: unknown, run: string, changes: Pick<FileChanges, 'ofRun'>): KernelError {
  const error = toKernelError(thrown);
  const { code, message } = error;
  if (!cutOff.has(code)) return error;
  if (changes.ofRun(run).length === 0) return error;
  const first = error.hint === undefined ? '' : `${error.hint} `;
  const hint = `${first}It changed files before it ended; undo that with: cuervo undo ${run}`;
  return new KernelError(code, message, { cause: error, hint });
}
