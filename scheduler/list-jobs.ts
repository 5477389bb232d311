import type { Kernel, ListedJob } from '../src/index.ts';
import { configuredJobs } from './configured-jobs.ts';
import { dueInMs } from './why-due.ts';

/** Every job, in the order in which due ones run. */
export async function listJobs(kernel: Kernel): Promise<ListedJob[]> {
  const jobs = configuredJobs(kernel);
  const nowMs = kernel.jobs.nowMs();
  const book = await kernel.jobs.book();
  book.reap(nowMs);
  const records = book.records(
    jobs.map(({ name }) => name),
    nowMs,
  );
  return jobs.flatMap((job, at) => {
    const record = records[at];
    if (record === undefined) return [];
    const { lastRunMs, lastOutcome, failures, isRunning, pausedMs } = record;
    return {
      name: job.name,
      about: job.about,
      everyMs: job.everyMs,
      ...(pausedMs === undefined ? { nextMs: nowMs + dueInMs(job, record, nowMs) } : {}),
      ...(lastRunMs === undefined ? {} : { lastRunMs }),
      ...(lastOutcome === undefined ? {} : { lastOutcome }),
      failures,
      running: isRunning,
      paused: pausedMs !== undefined,
    };
  });
}
