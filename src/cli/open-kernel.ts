import type { Kernel, KernelOptions } from '../kernel.ts';
import { listenForInterrupt } from './interrupt.ts';
import { workspaceOption } from './kernel-options.ts';
import { oweWork } from './lost-output.ts';
import { isQuiet, note, noteLine, oneLine } from './output.ts';

/** The kernel, loaded when a command first needs one. The caller owns it. */
export async function openKernel(options?: KernelOptions): Promise<Kernel> {
  return await (await import('../kernel.ts')).openKernel(options);
}

/** A kernel for the workspace of the flags; it prints its warnings. The caller owns it. */
export async function openKernelFor(flags: { workspace?: string }): Promise<Kernel> {
  return await openKernel({ onWarning: noteLine, ...workspaceOption(flags) });
}

/** A command with a kernel for its workspace and a signal that Ctrl+C fires; due jobs come after it. */
export async function withKernel(
  flags: { workspace?: string },
  work: (kernel: Kernel, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  using interrupt = listenForInterrupt();
  await using kernel = await openKernelFor(flags);
  await work(kernel, interrupt.signal);
  await afterCommand(kernel, { signal: interrupt.signal });
}

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
