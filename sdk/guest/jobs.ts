import { ToolError } from '../tool-error.ts';
import { guestHost } from './guest-host.ts';
import { tellThrown } from './tell-thrown.ts';

/** What our engine has beside the language. */
type Engine = {
  __cqjs?: {
    /** runs the jobs that wait, and throws what one throws */
    runJobs?: () => number;
    /** why promises were rejected that nothing waits for, since it was asked last */
    takeRejections?: () => unknown[];
  };
};

/** A person reads the first ones. */
const maxRejections = 5;

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

/**
 * What was rejected in a call and nobody waited for, in words; jobs that are left run before.
 *
 * @returns for the host, behind the summary or the error of the call; mostly an empty text
 */
export function leftRejections(): string {
  const { runJobs, takeRejections } = (globalThis as Engine).__cqjs ?? {};
  if (runJobs === undefined || takeRejections === undefined) return '';
  const thrown: unknown[] = [];
  try {
    runJobs();
  } catch (ofJob) {
    thrown.push(ofJob);
  }
  thrown.push(...takeRejections());
  if (thrown.length === 0) return '';
  const told = thrown.slice(0, maxRejections).map((each) => tellThrown(each, 'it was'));
  if (thrown.length > maxRejections) told.push('and more of them');
  return ` [rejected ${JSON.stringify(told)}]`;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
