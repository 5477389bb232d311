import type { ToolBinding, ValueType } from '../../protocol/bindings.ts';
import { drained } from './drain.ts';
import { fromGuest, toFields } from './guest-values.ts';
import { isGuestError, settled, ToolFailure } from './settled.ts';

/** What a call gives: a promise where the function is asynchronous. */
export type CallResult =
  | { content: string; summary: string }
  | Promise<{ content: string; summary: string }>;

/** Characters of a summary: a line that a person reads. */
const maxSummary = 160;

/**
 * Calls a plain function with values converted both ways. The items of a stream are shown as they
 * come.
 *
 * @param input one property for each parameter
 * @returns `content` is a string as it is, anything else as JSON; of a `result` what is in `ok`
 * @throws {InputMismatch}; a `result` that is an error as the tool-error `failed` with its value
 */
export function callFunction(
  run: (...args: unknown[]) => unknown,
  { name, params, result }: ToolBinding & { kind: 'function' },
  input: unknown,
  options: {
    maxResultBytes: number;
    progress(label: string, done: number): void;
    reading: Set<Disposable>;
  },
): CallResult {
  const args = toFields(input, params, 'the input');
  const type = result?.kind === 'result' ? result.ok : result;
  const drain = (value: unknown, of: ValueType) =>
    drained(value, of, {
      maxItems: options.maxResultBytes,
      reading: options.reading,
      show: (item, count) =>
        options.progress(textOf(fromGuest(item, (of as { of: ValueType }).of)), count),
    });
  const call = () =>
    settled(() => (type?.kind === 'future' ? Promise.resolve(run(...args)) : run(...args)), {
      value: (value) => (type === undefined ? value : drain(value, type)),
      error: (thrown) => {
        throw thrown;
      },
    });
  return settled(call, {
    value: (value) => {
      const content = type === undefined ? 'null' : textOf(fromGuest(value, type));
      const line = content.length > maxSummary ? `${content.slice(0, maxSummary)}…` : content;
      return { content, summary: `${name}: ${line.replace(/\s+/g, ' ').toWellFormed()}` };
    },
    error: (thrown) => {
      // Glue hands over what is inside `ok`, and throws what is inside `error`.
      if (result?.kind !== 'result' || !isGuestError(thrown)) throw thrown;
      const { error } = result;
      const told = error === undefined ? '' : textOf(fromGuest(thrown.payload, error));
      const failure = new ToolFailure('failed', told === '' ? `${name} failed` : told);
      failure.isTold = true;
      throw failure;
    },
  });
}

/** A string as it is, like the content of other tools; everything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
