import { hourMs, type Job, minuteMs } from '../job.ts';

export const decayScores: Job = {
  name: 'decay_scores',
  about: 'lowers the score of rows of memory with time',
  everyMs: 24 * hourMs,
  deadlineMs: minuteMs,
  run: async (kernel, { nowMs }) => {
    const { scored, dropped } = await kernel.jobs.decayScores(nowMs);
    return { summary: `updated ${scored} scores, dropped ${dropped} that were worn out` };
  },
};
