import { type JobRun, type Kernel, KernelError } from '../src/index.ts';
import { configuredJobs } from './configured-jobs.ts';
import { isFailure } from './is-failure.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { runnerPorts } from './run-job.ts';

/** A pause that nobody notices between an answer and the next prompt. */
const budgetMs = 200;

/**
 * Runs due jobs behind a command that has told its answer, where it had the store open. Never
 * throws: the command has done what it was asked.
 *
 * @returns what failed; or the error that kept jobs from being looked at
 */
export async function catchUp(
  kernel: Kernel,
  options: { signal: AbortSignal },
): Promise<{ failed: JobRun[]; error?: KernelError }> {
  if (!kernel.jobs.isStoreOpen() || options.signal.aborted) return { failed: [] };
  try {
    const ports = runnerPorts(kernel, options);
    const { runs } = await runDueJobs(configuredJobs(kernel), ports, { budgetMs });
    return { failed: runs.filter(isFailure) };
  } catch (thrown) {
    return { failed: [], error: KernelError.from(thrown, 'internal') };
  }
}
