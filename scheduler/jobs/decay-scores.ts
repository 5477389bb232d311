import { hourMs, type Job, minuteMs } from '../job.ts';

export const decayScores: Job = {
  name: 'decay_scores',
  about: 'lets the use of rows of memory count less with time',
  everyMs: 24 * hourMs,
  deadlineMs: minuteMs,
  run: async (kernel, { nowMs }) => {
    const { scored, dropped } = await kernel.jobs.decayScores(nowMs);
    return { summary: `brought ${scored} scores up to now, ${dropped} are worn out` };
  },
};
