import { KernelError } from '../contracts/error.ts';
import type { FileChanges } from '../contracts/file-changes.ts';
import { toKernelError } from './to-kernel-error.ts';

/** What ended a run; one that was interrupted after it had changed files says how to take that back. */
export function tellUndo(
  thrown: unknown,
  run: string,
  changes: Pick<FileChanges, 'ofRun'>,
): KernelError {
  const error = toKernelError(thrown);
  if (error.code !== 'canceled' || changes.ofRun(run).length === 0) return error;
  const hint = `It had changed files by then; take that back with: cuervo undo ${run}`;
  return new KernelError('canceled', error.message, { cause: error, hint });
}
