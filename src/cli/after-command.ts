import type { Kernel } from '../kernel.ts';
import { oweWork } from './lost-output.ts';
import { isQuiet, note, oneLine } from './output.ts';

/**
 * Runs due jobs for a moment, after the answer is printed. A failure is a note; the exit code stays
 * that of the command.
 */
export async function afterCommand(
  kernel: Kernel,
  options: { signal: AbortSignal; quiet?: boolean | undefined },
): Promise<void> {
  if (!kernel.jobs.isStoreOpen()) return;
  // Whoever reads only the first lines must not cut a job off.
  oweWork();
  const { catchUp } = await import('../../scheduler/catch-up.ts');
  const { failed, error } = await catchUp(kernel, { signal: options.signal });
  if (options.quiet || isQuiet()) return;
  if (error !== undefined) note(`note: cannot read the jobs: ${oneLine(error.message)}`);
  for (const { job, summary } of failed) {
    note(`note: the job ${job} did not succeed: ${oneLine(summary)}; see: cuervo jobs log ${job}`);
  }
}
