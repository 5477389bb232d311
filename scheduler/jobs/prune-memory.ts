import type { Kernel } from '../../src/index.ts';
import { dayMs, hourMs, type Job, type JobContext, minuteMs } from '../job.ts';
import { spanText } from '../why-due.ts';
import { promote } from './promote-decisions.ts';

const name = 'prune_memory';
/**
 * Rows grow older by no more than this from one run to the next: a clock that is years ahead for
 * one run must not empty memory.
 */
const maxStepMs = 7 * dayMs;

/** Takes away what a layer does not keep. What would have been promoted is, before. */
export const pruneMemory: Job = {
  name,
  about: 'removes the least used turns beyond memory.turn-rows, and old ones if you set an age',
  everyMs: 6 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel, context) => {
    const promoted = await promote(kernel, context);
    context.signal.throwIfAborted();
    const memory = await kernel.memory();
    const nowMs = Math.min(context.nowMs, (await lastDoneMs(kernel, context)) + maxStepMs);
    const removed = await memory.prune(nowMs, {
      signal: context.signal,
      worth: await kernel.jobs.worth(),
    });
    const layers = Object.entries(removed).filter(([, rows]) => rows > 0);
    const summary =
      layers.length === 0
        ? 'no layer holds more or older rows than it keeps'
        : `removed ${layers.map(([layer, rows]) => `${rows} of ${layer}`).join(', ')}`;
    const aheadMs = context.nowMs - nowMs;
    const ahead =
      aheadMs === 0
        ? []
        : [`counted rows as ${spanText(aheadMs)} younger: no job ran for that long`];
    return { summary, details: [...ahead, ...promoted.map((line) => `promoted ${line}`)] };
  },
};

/** The end of its last run that was done; before the first one when it was first seen. */
async function lastDoneMs(kernel: Kernel, { nowMs }: JobContext): Promise<number> {
  const book = await kernel.jobs.book();
  const done = book.log({ job: name, limit: 100 }).find(({ outcome }) => outcome === 'done');
  return done?.finishedMs ?? book.records([name], nowMs)[0]?.sinceMs ?? nowMs;
}
