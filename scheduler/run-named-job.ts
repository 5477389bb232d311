import { type JobRun, type Kernel, KernelError } from '../src/index.ts';
import { allJobs } from './all-jobs.ts';
import type { Job } from './job.ts';
import { runJob, runnerPorts } from './run-job.ts';

/**
 * Runs one job now, due or not.
 *
 * @throws {KernelError} `not-found` for an unknown name, `conflict` while another process runs it
 */
export async function runNamedJob(
  kernel: Kernel,
  name: string,
  options: { signal: AbortSignal },
): Promise<JobRun> {
  const job = findJob(name);
  const book = await kernel.jobs.book();
  book.reap(kernel.jobs.nowMs());
  const limit = { ms: job.deadlineMs, of: 'job' as const };
  const run = await runJob(job, runnerPorts(kernel, options), {
    limit,
    why: () => 'asked for by name',
  });
  if (run !== undefined) return run;
  throw new KernelError('conflict', `${name} is running in another process`, {
    hint: 'See how it ends with: cuervo jobs log',
  });
}

/** @throws {KernelError} `not-found` */
export function findJob(name: string): Job {
  const found = allJobs.find((job) => job.name === name);
  if (found !== undefined) return found;
  const names = allJobs.map((job) => job.name);
  const hint = `One of: ${names.join(', ')}`;
  throw KernelError.unknownName(`there is no job "${name}"`, { name, names, hint });
}
