import { type JobRun, type Kernel, KernelError } from '../src/index.ts';
import { configuredJobs } from './configured-jobs.ts';
import { type Job, minuteMs } from './job.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { runnerPorts } from './run-job.ts';
import { systemTiming, type Timing } from './timing.ts';

/** At most one look at the jobs in this time, whatever happens. */
const minWaitMs = 1_000;
/** A machine that slept, or a job that was resumed, is noticed after this. */
const maxWaitMs = 15 * minuteMs;
/** After the store could not be used. */
const retryMs = minuteMs;

/**
 * Runs jobs when they are due, until the signal fires; then what runs is canceled. Between jobs
 * there is one timer and nothing else.
 *
 * @param options.jobs those of the configuration unless given
 * @param options.onError told when the store cannot be used; it is tried again
 * @throws {KernelError} `invalid-argument` when the configuration names an unknown job
 */
export async function runScheduler(
  kernel: Kernel,
  options: {
    signal: AbortSignal;
    onRun(run: JobRun): void;
    onError(error: KernelError): void;
    jobs?: readonly Job[];
    timing?: Timing;
  },
): Promise<void> {
  const { signal, onRun, onError, timing = systemTiming } = options;
  const jobs = options.jobs ?? configuredJobs(kernel);
  const ports = runnerPorts(kernel, { signal, timing });
  while (!signal.aborted) {
    let waitMs = retryMs;
    try {
      const { nextMs } = await runDueJobs(jobs, ports, { onRun });
      waitMs = Math.min(Math.max(nextMs, minWaitMs), maxWaitMs);
    } catch (thrown) {
      onError(KernelError.from(thrown, 'internal'));
    }
    await timing.wait(waitMs, signal);
  }
}
