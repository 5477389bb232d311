import { KernelError } from '../../contracts/error.ts';
import { signalOf } from '../../lib/process/child.ts';

/** Signals that engines and sandboxes do not end themselves by: somebody else sends them. */
const fromOutside: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/**
 * The error for a plugin process that ended by itself or was killed by another program.
 *
 * @param code it exited with; null when a signal ended it
 * @param stderr what it wrote there
 * @returns `plugin-fault`
 */
export function explainEnd(
  code: number | null,
  signal: string | null,
  stderr: string,
): KernelError {
  const by = signal ?? signalOf(code ?? 0);
  const how = by === undefined ? `with code ${code}` : `by ${by}`;
  const memory = /heap out of memory|Allocation failed|Fatal process/i.test(stderr);
  const message = `the plugin process ended ${how}${memory ? ': it ran out of memory' : ''}`;
  if (by === undefined || !fromOutside.has(by)) return new KernelError('plugin-fault', message);
  const hint =
    'Something other than cuervo ended it, for example the system when memory runs out. Run it again.';
  return new KernelError('plugin-fault', message, { hint });
}
