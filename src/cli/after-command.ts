import type { Kernel } from '../kernel.ts';
import { note, oneLine } from './output.ts';

/**
 * Runs due jobs for a moment, after the answer was told. What fails is a note, and the exit code
 * stays that of the command.
 */
export async function afterCommand(
  kernel: Kernel,
  options: { signal: AbortSignal; quiet?: boolean | undefined },
): Promise<void> {
  if (!kernel.jobs.isStoreOpen()) return;
  const { catchUp } = await import('../../scheduler/catch-up.ts');
  const { failed, error } = await catchUp(kernel, { signal: options.signal });
  if (options.quiet) return;
  if (error !== undefined) note(`note: jobs could not be looked at: ${oneLine(error.message)}`);
  for (const { job, summary } of failed) {
    note(`note: the job ${job} did not succeed: ${oneLine(summary)}; see: cuervo jobs log ${job}`);
  }
}
