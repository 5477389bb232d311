import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from '../../kernel.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { exportedHtml, readPageFiles } from '../../page/page-files.ts';
import { type ServedPage, servePage } from '../../page/serve-page.ts';
import { createPageViews, type PageParts } from './create-page-views.ts';

/** Runs of an exported page with all that they did. */
const exportedRuns = 100;

/** Serves the page of a kernel's workspace on this machine. The caller owns it. */
export async function openPage(
  kernel: Kernel,
  parts: PageParts,
  options: { port: number; onOpened(): void; onError(error: Error): void },
): Promise<ServedPage> {
  const files = readPageFiles(kernel.config.paths.dist);
  return await servePage(createPageViews(kernel, parts), { ...options, files });
}

/**
 * Writes the page as a file that opens without a server.
 *
 * @returns its path, and how many runs it shows
 */
export async function exportPage(
  kernel: Kernel,
  parts: PageParts,
  folder: string,
): Promise<{ file: string; runs: number; isWhole: boolean }> {
  const views = createPageViews(kernel, parts);
  const listed = await views.runs(exportedRuns);
  const run: Record<string, Awaited<ReturnType<typeof views.run>>> = {};
  for (const { id } of listed.runs) run[id] = await views.run(id);
  const html = exportedHtml(readPageFiles(kernel.config.paths.dist), {
    madeMs: kernel.jobs.nowMs(),
    overview: await views.overview(),
    runs: listed,
    run,
    memory: await views.memory({ text: '', layer: '' }),
    plugins: await views.plugins(),
    jobs: await views.jobs(),
    cost: await views.cost(),
  });
  mkdirSync(folder, { recursive: true });
  // A folder of the workspace may be a link: what is said is where the page lies.
  const file = join(realpathSync(folder), 'index.html');
  // It tells what was asked and found here: only its person may read it.
  writeFileWhole(file, html, { mode: 0o600 });
  return { file, runs: listed.runs.length, isWhole: listed.isWhole };
}
