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
 * Waits for a promise: runs jobs until it is settled. When no job is left, the next timer fires at
 * once, whatever its delay, since nothing else can happen.
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
    // A job may have set it; the compiler does not see that.
    const now = outcome as Outcome | undefined;
    if (now !== undefined) {
      if ('thrown' in now) throw now.thrown;
      return now.value;
    }
    if (guestHost.fireTimer?.() !== true) throw new ToolError('failed', unsettled);
  }
}

/**
 * Runs the remaining jobs, and describes rejected promises that nobody waited for.
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
