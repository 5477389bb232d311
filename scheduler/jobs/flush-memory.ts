import { type Job, minuteMs } from '../job.ts';

/** Fewer rows cost a search next to nothing; what writes more moves them over by itself. */
const minPending = 8;

export const flushMemory: Job = {
  name: 'flush_memory',
  about: `moves waiting rows of memory to their tables, once there are ${minPending}`,
  everyMs: 10 * minuteMs,
  deadlineMs: 2 * minuteMs,
  need: async (kernel) => {
    const rows = await kernel.jobs.pendingRows();
    return rows < minPending ? undefined : `${rows} rows wait`;
  },
  run: async (kernel, { signal }) => {
    const memory = await kernel.memory();
    const { moved, pending } = await memory.flush({ signal });
    if (moved === undefined) return { summary: 'another process is writing to memory' };
    return { summary: `moved ${moved} rows, ${pending} wait` };
  },
};
