import type { ToolErrorCase } from '../../contracts/tool.ts';
import type { ToolBinding } from '../../protocol/bindings.ts';
import { fromGuest, toFields } from './guest-values.ts';

/** A failure of a call that is ours to tell, in the form in which glue throws a tool's own. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly payload: { tag: ToolErrorCase; val: string };

  constructor(tag: ToolErrorCase, val: string) {
    super(val);
    this.payload = { tag, val };
  }
}

/** An error that the guest returned, as the glue throws it: with its value. */
export function isGuestError(thrown: unknown): thrown is Error & { payload: unknown } {
  return (
    thrown instanceof Error && Object.hasOwn(thrown, 'payload') && !(thrown instanceof ToolFailure)
  );
}

/** Characters of a summary: a line that a person reads. */
const maxSummary = 160;

/**
 * Calls a plain function with values converted both ways.
 *
 * @param input one property for each parameter
 * @returns `content` is a string as it is, anything else as JSON; of a `result` what is in `ok`
 * @throws {InputMismatch}; a `result` that is an error as the tool-error `failed` with its value
 */
export function callFunction(
  run: (...args: unknown[]) => unknown,
  { name, params, result }: ToolBinding & { kind: 'function' },
  input: unknown,
): { content: string; summary: string } {
  const args = toFields(input, params, 'the input');
  let value: unknown;
  try {
    value = run(...args);
  } catch (thrown) {
    // Glue hands over what is inside `ok`, and throws what is inside `error`.
    if (result?.kind !== 'result' || !isGuestError(thrown)) throw thrown;
    const told = result.error === undefined ? '' : textOf(fromGuest(thrown.payload, result.error));
    throw new ToolFailure('failed', told === '' ? `${name} failed` : told);
  }
  const type = result?.kind === 'result' ? result.ok : result;
  const content = type === undefined ? 'null' : textOf(fromGuest(value, type));
  const line = content.length > maxSummary ? `${content.slice(0, maxSummary)}…` : content;
  return { content, summary: `${name}: ${line.replace(/\s+/g, ' ').toWellFormed()}` };
}

/** A string as it is, like the content of other tools; everything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
