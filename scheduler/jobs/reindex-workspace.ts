import { type Kernel, openKernel } from '../../src/index.ts';
import { type Job, type JobContext, type JobReport, minuteMs } from '../job.ts';

/** Brings indices up to their files; a workspace that nobody indexed is left alone. */
export const reindexWorkspace: Job = {
  name: 'reindex_workspace',
  about: 'updates the index to the files',
  everyMs: 30 * minuteMs,
  deadlineMs: 15 * minuteMs,
  need: async (kernel) => {
    const { length } = await kernel.index.workspaces();
    return length === 0 ? undefined : `${length} ${length === 1 ? 'index' : 'indices'}`;
  },
  run: async (kernel, context): Promise<JobReport> => {
    const own = kernel.config.workspace;
    const all = await kernel.index.workspaces();
    const details: string[] = [];
    if (all.includes(own)) details.push(await update(kernel, context));
    // Behind a command nobody waits for the files of other folders.
    for (const workspace of context.isBehindCommand ? [] : all.filter((path) => path !== own)) {
      context.signal.throwIfAborted();
      details.push(await updateOther(kernel, workspace, context));
    }
    return { summary: `checked ${details.length} of ${all.length} workspaces`, details };
  },
};

async function update(kernel: Kernel, { signal }: JobContext): Promise<string> {
  const { added, chunks, removed, gone } = await kernel.index.update({ signal });
  const { workspace } = kernel.config;
  if (added === 0 && removed === 0) return `${workspace}: unchanged`;
  return `${workspace}: read ${added} files, wrote ${chunks} pieces, removed ${removed}, ${gone} files are gone`;
}

/** As its own cuervo.toml narrows it. A missing folder is not a failure. */
async function updateOther(
  { config }: Kernel,
  workspace: string,
  context: JobContext,
): Promise<string> {
  let other: Kernel;
  try {
    other = await openKernel({ home: config.home, workspace });
  } catch (thrown) {
    return `${workspace}: skipped, ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
  await using opened = other;
  return await update(opened, context);
}
