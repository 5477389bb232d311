import type { KernelError } from '../contracts/error.ts';
import type { EventOf } from '../contracts/events.ts';
import type { StepResult } from '../contracts/step-result.ts';
import type { HostCallRow, Store } from '../contracts/store.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';

/** The journal of one run; every effect crossed the host boundary and is written here once. */
export type RunJournal = {
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
    step: (result, tool) => {
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
      const ts = clock.nowMs();
      const calls = result.hostCalls.map(
        (call): HostCallRow => ({ ...call, run: run.id, step: result.step, ts }),
      );
      if (calls.length > 0) store.addHostCalls(calls);
    },
    guard: ({ type: _, ...notice }) =>
      store.addGuardRow({ ...notice, run: run.id, ts: clock.nowMs() }),
    finish: (status) => store.finishRun(run.id, status, clock.nowMs()),
  };
}

/** Status of a run for the journal and `run-finished`. */
export function statusOfRun(error: KernelError | undefined): string {
  return error === undefined ? 'ok' : error.code;
}
