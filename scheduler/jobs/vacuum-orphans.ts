import { hourMs, type Job, minuteMs } from '../job.ts';

export const vacuumOrphans: Job = {
  name: 'vacuum_orphans',
  about: 'removes marks of sources without pieces and counts of use without rows',
  everyMs: 24 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel, { signal }) => {
    const { sources, uses } = await kernel.jobs.vacuumOrphans({ signal });
    return { summary: `removed ${sources} marks of sources and ${uses} counts of use` };
  },
};
