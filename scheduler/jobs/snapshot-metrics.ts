import { hourMs, type Job, minuteMs } from '../job.ts';

/** @param jobs names of all jobs, this one too; called when it runs */
export function snapshotMetrics(jobs: () => readonly string[]): Job {
  return {
    name: 'snapshot_metrics',
    about: 'records sizes, runs and failing jobs in metrics.json and the store',
    everyMs: hourMs,
    deadlineMs: minuteMs,
    run: async (kernel, { nowMs, signal }) => {
      const { memory, runs, failingJobs } = await kernel.jobs.snapshotMetrics(nowMs, {
        jobs: jobs(),
        signal,
      });
      const { interact, insights, assets, pending } = memory;
      const failing = failingJobs.length === 0 ? '' : `, failing: ${failingJobs.join(', ')}`;
      return {
        summary: `memory ${interact} / ${insights} / ${assets} rows, ${pending} wait; ${runs.done} runs in the last hour, ${runs.failed} failed${failing}`,
      };
    },
  };
}
