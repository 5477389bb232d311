import { hourMs, type Job, minuteMs } from '../job.ts';
import { promote } from './promote-decisions.ts';

/** Takes away what a layer does not keep. What would have been promoted is, before. */
export const pruneMemory: Job = {
  name: 'prune_memory',
  about: 'takes away turns older than a day and insights older than 90 days',
  everyMs: 6 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel, context) => {
    const promoted = await promote(kernel, context);
    context.signal.throwIfAborted();
    const memory = await kernel.memory();
    const removed = await memory.prune(context.nowMs, {
      signal: context.signal,
      worth: await kernel.jobs.worth(),
    });
    const layers = Object.entries(removed).filter(([, rows]) => rows > 0);
    const summary =
      layers.length === 0
        ? 'no row is older or more than its layer keeps'
        : `took away ${layers.map(([layer, rows]) => `${rows} of ${layer}`).join(', ')}`;
    return { summary, details: promoted.map((line) => `promoted ${line}`) };
  },
};
