import type { Kernel, KernelOptions } from '../kernel.ts';
import { workspaceOption } from './kernel-options.ts';
import { noteLine } from './output.ts';

/** The kernel, loaded when a command first needs one. The caller owns it. */
export async function openKernel(options?: KernelOptions): Promise<Kernel> {
  return await (await import('../kernel.ts')).openKernel(options);
}

/** A kernel for the workspace of the flags; it prints its warnings. The caller owns it. */
export async function openKernelFor(flags: { workspace?: string }): Promise<Kernel> {
  return await openKernel({ onWarning: noteLine, ...workspaceOption(flags) });
}
