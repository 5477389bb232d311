import { hourMs, type Job, minuteMs } from '../job.ts';

export const prune: Job = {
  name: 'prune',
  about: 'removes records of runs older than 90 days that changed nothing',
  everyMs: 24 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel) => {
    const { runs, jobRuns } = await kernel.jobs.pruneStore();
    return { summary: `removed ${runs} runs and ${jobRuns} lines of the log of jobs` };
  },
};
