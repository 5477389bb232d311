import type { KernelError } from '../contracts/error.ts';
import type { EventOf } from '../contracts/events.ts';
import type { StepResult } from '../contracts/plan.ts';
import type { HostCallRow, Store } from '../contracts/store.ts';
import type { HostCall, JsonObject, Tool } from '../contracts/tool.ts';

/** The journal of one run; every effect crossed the host boundary and is written here once. */
export type RunJournal = {
  /** A host call that the kernel served, written before the tool has its answer. */
  served(step: string, call: HostCall): void;
  /** A step that ended, with the host calls that its plugin tells of. */
  step(result: StepResult, tool: Tool | undefined): void;
  guard(event: Omit<EventOf<'guard'>, 'ts' | 'run'>): void;
  finish(status: string): void;
};

export type RunStart = {
  id: string;
  session?: string | undefined;
  command: string;
  question: string;
  project: string;
  model: string;
};

/**
 * Writes the run's first row and returns what writes the rest.
 *
 * @throws {KernelError} when the store cannot be written
 */
export function recordRun(store: Store, run: RunStart, clock: { nowMs(): number }): RunJournal {
  store.startRun({
    ...run,
    session: run.session,
    status: 'running',
    startedMs: clock.nowMs(),
    finishedMs: undefined,
  });
  return {
    served: (step, call) => addCalls(step, [call]),
    step: (result, tool) => {
      try {
        addCalls(result.step, result.hostCalls);
      } finally {
        addStep(result, tool);
      }
    },
    guard: ({ type: _, ...notice }) =>
      store.addGuardRow({ ...notice, run: run.id, ts: clock.nowMs() }),
    finish: (status) => store.finishRun(run.id, status, clock.nowMs()),
  };

  function addCalls(step: string, calls: readonly HostCall[]): void {
    if (calls.length === 0) return;
    const ts = clock.nowMs();
    store.addHostCalls(calls.map((call): HostCallRow => ({ ...call, run: run.id, step, ts })));
  }

  function addStep(result: StepResult, tool: Tool | undefined): void {
    store.addStep({
      run: run.id,
      step: result.step,
      tool: result.tool,
      plugin: tool?.plugin ?? '',
      digest: tool?.digest ?? '',
      input: result.input as JsonObject,
      status: result.status,
      summary: result.output?.summary ?? result.error?.message ?? '',
      durationMs: result.durationMs,
      bytes: result.output === undefined ? 0 : Buffer.byteLength(result.output.content),
      attempts: result.attempts,
    });
  }
}

export function statusOfRun(error: KernelError | undefined): string {
  return error === undefined ? 'ok' : error.code;
}
