import { KernelError } from '../../contracts/error.ts';
import type { FileChanges } from '../../contracts/file-changes.ts';
import { toKernelError } from '../to-kernel-error.ts';

/**
 * What ended a run; one that was interrupted, or whose time was over, after it had changed files
 * says how to take that back.
 */
export function tellUndo(
  thrown: unknown,
  run: string,
  changes: Pick<FileChanges, 'ofRun'>,
): KernelError {
  const error = toKernelError(thrown);
  const { code, message } = error;
  if (code !== 'canceled' && code !== 'deadline-exceeded') return error;
  if (changes.ofRun(run).length === 0) return error;
  const first = error.hint === undefined ? '' : `${error.hint} `;
  const hint = `${first}It changed files before it ended; undo that with: cuervo undo ${run}`;
  return new KernelError(code, message, { cause: error, hint });
}
