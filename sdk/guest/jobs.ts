import { ToolError } from '../tool-error.ts';
import { guestHost } from './guest-host.ts';

/** What our engine has beside the language: it runs the jobs that wait, and throws what one throws. */
type Engine = { __cqjs?: { runJobs?: () => number } };

const unsettled =
  '"run" waits for a promise that nothing can settle: no job and no timer is left. Host calls are ' +
  'synchronous, and nothing else goes on beside a call';

type Outcome = { value: unknown } | { thrown: unknown };

/**
 * What a promise becomes. Jobs run until it is settled; where none is left the next timer fires,
 * whatever its delay, because there is nothing to wait for beside it.
 *
 * @throws what it was rejected with, or a `ToolError` where nothing can settle it any more
 */
export function settled(promise: PromiseLike<unknown>): unknown {
  const { runJobs } = (globalThis as Engine).__cqjs ?? {};
  if (runJobs === undefined)
    throw new ToolError('failed', '"run" is async, which this engine cannot run');
  let outcome: Outcome | undefined;
  promise.then(
    (value) => {
      outcome = { value };
    },
    (thrown) => {
      outcome = { thrown };
    },
  );
  for (;;) {
    runJobs();
    // What a job did: the compiler takes it for what it was before.
    const now = outcome as Outcome | undefined;
    if (now !== undefined) {
      if ('thrown' in now) throw now.thrown;
      return now.value;
    }
    if (guestHost.fireTimer?.() !== true) throw new ToolError('failed', unsettled);
  }
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
