import { hourMs, type Job, minuteMs } from '../job.ts';

export const pruneBlobs: Job = {
  name: 'prune_blobs',
  about: 'keeps the files that undo restores below their quota; forgets dry runs after a week',
  everyMs: hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel, { nowMs, signal }) => {
    const { blobs, dryRuns, parts } = await kernel.pruneBlobs(nowMs, { signal });
    const summary = `removed ${blobs.files} files kept for undo (${blobs.bytes} bytes), ${dryRuns} dry runs and ${parts} parts of cut-off writes`;
    return { summary };
  },
};
