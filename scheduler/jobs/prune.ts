import { hourMs, type Job, minuteMs } from '../job.ts';

export const prune: Job = {
  name: 'prune',
  about: 'takes away records of runs older than 90 days that changed nothing',
  everyMs: 24 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel) => {
    const { runs, jobRuns } = await kernel.jobs.pruneStore();
    return { summary: `took away ${runs} runs and ${jobRuns} lines of the log of jobs` };
  },
};
