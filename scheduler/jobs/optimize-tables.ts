import { hourMs, type Job, minuteMs } from '../job.ts';

/** The tables' own thresholds decide what is done; most runs find nothing. */
export const optimizeTables: Job = {
  name: 'optimize_tables',
  about: 'merges fragments, drops old versions and builds indices of memory where it pays',
  everyMs: 24 * hourMs,
  deadlineMs: 15 * minuteMs,
  run: async (kernel, { nowMs, signal }) => {
    const memory = await kernel.memory();
    const worked = await memory.optimize(nowMs, { signal });
    return {
      summary:
        worked.length === 0 ? 'no table has reached a threshold' : `worked on ${worked.join(', ')}`,
    };
  },
};
