import { type Kernel, KernelError } from '../src/index.ts';
import { allJobs } from './all-jobs.ts';
import type { Job } from './job.ts';

/**
 * Every job with the period that `config.toml` gives it.
 *
 * @throws {KernelError} `invalid-argument` when it names an unknown job
 */
export function configuredJobs(kernel: Pick<Kernel, 'config'>): readonly Job[] {
  const { jobPeriodsMs, home } = kernel.config;
  const unknown = Object.keys(jobPeriodsMs).find(
    (name) => !allJobs.some((job) => job.name === name),
  );
  if (unknown !== undefined) {
    throw new KernelError('invalid-argument', `${home}/config.toml: there is no job "${unknown}"`, {
      hint: `One of: ${allJobs.map(({ name }) => name).join(', ')}`,
    });
  }
  return allJobs.map((job) => ({ ...job, everyMs: jobPeriodsMs[job.name] ?? job.everyMs }));
}
