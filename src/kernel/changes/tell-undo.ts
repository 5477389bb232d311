import { KernelError } from '../../contracts/error.ts';
import type { FileChanges } from '../../contracts/file-changes.ts';
import { toKernelError } from '../to-kernel-error.ts';

/** Codes of what ends a run in its midst. */
const cutOff: ReadonlySet<KernelError['code']> = new Set([
  ...(['canceled', 'deadline-exceeded', 'resource-exhausted', 'unavailable'] as const),
]);

/**
 * The end of a run. A run that changed files and was interrupted, or ran out of time, budget or
 * model, says how to undo the changes.
 */
export function tellUndo(
  thrown: unknown,
  run: string,
  changes: Pick<FileChanges, 'ofRun'>,
): KernelError {
  const error = toKernelError(thrown);
  const { code, message } = error;
  if (!cutOff.has(code)) return error;
  if (changes.ofRun(run).length === 0) return error;
  const first = error.hint === undefined ? '' : `${error.hint} `;
  const hint = `${first}It changed files before it ended; undo that with: cuervo undo ${run}`;
  return new KernelError(code, message, { cause: error, hint });
}
