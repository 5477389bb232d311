import { type Job, minuteMs } from '../job.ts';

/** Fewer are made by the searches that meet them, or do without. */
const minMissing = 8;
/** Behind a command nobody waits longer; a text costs some 15 ms. */
const textsBehindCommand = 64;

export const makeVectors: Job = {
  name: 'make_vectors',
  about: `makes the vectors of a sentence model for what was said, once ${minMissing} are missing`,
  everyMs: 2 * minuteMs,
  deadlineMs: 30 * minuteMs,
  need: async (kernel) => {
    const texts = await (await kernel.memory()).missingMeanings();
    return texts < minMissing ? undefined : `${texts} texts or more have none`;
  },
  run: async (kernel, { signal, isBehindCommand }) => {
    const limit = isBehindCommand ? { limit: textsBehindCommand } : {};
    const done = await (await kernel.memory()).makeMeanings({ signal, ...limit });
    if (done === undefined) return { summary: 'there is no sentence model beside the table' };
    return { summary: `made ${done.made} vectors by ${done.model}` };
  },
};
