import { effectAllows } from '../../contracts/capability.ts';
import { type ErrorCode, KernelError } from '../../contracts/error.ts';
import { type Effect, toolErrorCodes } from '../../contracts/tool.ts';
import type { ResultMessage } from '../../protocol/messages.ts';
import type { ServedCall } from './call-server.ts';

/**
 * The hint for a failed tool. Its message states the reason in its own words, so the hint must be
 * true for every message of this code.
 *
 * @param tool in full, as `file.read`
 * @returns undefined where the code alone says what to do
 */
export function toolHint(tool: string, code: ErrorCode, message: string): string | undefined {
  const usage = `cuervo tools ${tool}`;
  switch (code) {
    case 'invalid-argument':
    case 'not-found':
    case 'tool-failed':
      return `See what it takes with: ${usage}`;
    case 'conflict':
      return `Check what it works on; see what it takes with: ${usage}`;
    case 'resource-exhausted':
      // The one limit of a tool that config.toml can raise.
      return message.includes('(limits.max-result-bytes)')
        ? `Ask for less, or raise limits.max-result-bytes in config.toml; see what it takes with: ${usage}`
        : `Ask for less at once; see what it takes with: ${usage}`;
    case 'unavailable':
      // A tool reports something as missing only if it cannot work without it.
      return 'Provide what the tool says is missing, then run it again.';
    default:
      return undefined;
  }
}

/** A call that gave no output, and what is known of it. */
export type FailedCall = {
  /** in full, as `file.read` */
  tool: string;
  effect: Effect;
  result: ResultMessage;
  /** what the kernel served, beside the host calls of the result */
  served: readonly ServedCall[];
  /** capability -> why it is denied, for the guest, and what grants it, for the person */
  denied: Readonly<Record<string, { reason: string; hint: string }>>;
};

/** The tool's own error or its trap, with a hint on how to allow a call that was denied before. */
export function failureOf(failed: FailedCall): KernelError {
  const { tool, result } = failed;
  if (result.outcome === 'error') {
    const code = toolErrorCodes[result.case];
    const message = `${tool}: ${result.message}`;
    if (code === 'permission-denied')
      return new KernelError(code, message, { hint: hintOfDenial(failed, message) });
    const hint = toolHint(tool, code, result.message);
    return new KernelError(code, message, hint === undefined ? {} : { hint });
  }
  const reason = result.outcome === 'trap' ? result.message : `answered with "${result.outcome}"`;
  const message = `${tool} trapped: ${reason}`;
  const isDenied = [...result.calls, ...failed.served].some(({ outcome }) => outcome === 'denied');
  const hint = isDenied ? { hint: hintOfDenial(failed, message) } : {};
  return new KernelError('plugin-fault', message, hint);
}

/** The grant for the denied call in the message, else for the last denied call. */
function hintOfDenial(
  { tool, effect, result, served, denied }: FailedCall,
  message: string,
): string {
  const calls: readonly ServedCall[] = [...result.calls, ...served];
  const denials = calls.filter(({ outcome }) => outcome === 'denied');
  const isTold = ({ call }: ServedCall): boolean => {
    const reason = denied[interfaceOf(call)]?.reason;
    return reason !== undefined && message.includes(reason);
  };
  const last = denials.findLast(isTold) ?? denials.at(-1);
  if (last === undefined)
    return `The tool itself refused; see what it takes with: cuervo tools ${tool}`;
  const { call, hint: ofCall } = last;
  if (ofCall !== undefined) return ofCall;
  const hint = denied[interfaceOf(call)]?.hint;
  if (hint !== undefined) return hint;
  if (call.startsWith('network.'))
    return 'No grant gives sockets; use wasi:http, with http:ORIGIN.';
  if (!effectAllows(effect, call))
    return 'The author of the plugin has to declare a higher effect for this tool.';
  const place = call.startsWith('http.') ? 'address as it is written' : 'path';
  return `No grant allows this ${place}; name another one.`;
}

/** `fs` of `fs.read`. */
function interfaceOf(call: string): string {
  return call.split('.', 1)[0] ?? '';
}

/** What ended a call before it had a result, with the name of its tool. */
export function explainThrown(tool: string, thrown: unknown, timeoutMs: number): KernelError {
  const error = KernelError.from(thrown, 'plugin-fault');
  if (error.code === 'canceled') return error;
  const hint =
    error.hint === undefined && error.code === 'deadline-exceeded'
      ? `Give it more time with --timeout SECONDS (now ${timeoutMs / 1000}), or less to do: a regular expression of the plugin itself may have no end.`
      : error.hint;
  return new KernelError(error.code, `${tool}: ${error.message}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}
