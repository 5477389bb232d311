import type { JobRun } from '../src/index.ts';

/** Whether a run counts as a failure: it is reported, and the job is retried with backoff. */
export function isFailure({ outcome }: JobRun): boolean {
  return outcome === 'failed' || outcome === 'timed-out' || outcome === 'died';
}
