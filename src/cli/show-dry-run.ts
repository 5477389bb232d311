import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/text/amounts.ts';
import { note, oneLine } from './output.ts';
import { showDiffs } from './show-diffs.ts';

/**
 * Shows the changes of a dry run and the command that applies them. A dry run without changes is
 * forgotten. With `--json` standard output belongs to the events, so only notes are written.
 */
export async function showDryRun(
  kernel: Kernel,
  run: string | undefined,
  flags: { json?: boolean },
): Promise<void> {
  // A run that ended before its first step has nothing to show.
  if (run === undefined || !kernel.apply.runs().some((row) => row.run === run)) return;
  const { steps, left } = await kernel.apply.plan(run);
  for (const { path, why } of left) note(`not applied: ${oneLine(path)}: ${why}`);
  if (steps.length === 0) {
    note('dry run: no file would be changed');
    kernel.apply.discard(run);
    return;
  }
  if (!flags.json) await showDiffs(await kernel.apply.diff(run), 'stdout');
  const paths = counted(steps.length, 'path');
  note(`dry run: ${paths} would be changed; make the change with: cuervo apply ${run}`);
}
