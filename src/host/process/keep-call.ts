import { type HostCall, maxKeptLength, maxRecordedLength } from '../../contracts/tool.ts';
import { sha256 } from '../../lib/sha256.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { encodeBytes } from '../../protocol/frame.ts';

/** Characters of one text, and of all that one tool call keeps: a frame holds them beside the result. */
const usual = { each: maxKeptLength, all: 1024 * 1024 };
const recording = { each: maxRecordedLength, all: maxRecordedLength };

type Kept = { calls: HostCall[]; kept: number; records?: boolean };

/**
 * Makes a host call and adds its arguments and answer to its row. A large answer is kept as its
 * digest.
 *
 * @param run adds the row itself if the call reports itself
 */
export function keepCall(
  scope: Kept,
  call: string,
  run: (...args: never[]) => unknown,
  args: readonly never[],
): unknown {
  const row = (): HostCall => {
    const last = scope.calls[from];
    if (last !== undefined) return last;
    const made: HostCall = { call, target: '', outcome: 'ok', durationMs: 0 };
    scope.calls.push(made);
    return made;
  };
  const from = scope.calls.length;
  try {
    const value = run(...args);
    keep(scope, row(), args, { value });
    return value;
  } catch (thrown) {
    if (thrown instanceof HostFailure) keep(scope, row(), args, { error: thrown.payload });
    throw thrown;
  }
}

function keep(scope: Kept, row: HostCall, args: readonly unknown[], reply: object): void {
  const { each, all } = scope.records === true ? recording : usual;
  const fits = (text: string): boolean => {
    if (text.length > each || scope.kept + text.length > all) return false;
    scope.kept += text.length;
    return true;
  };
  const given = JSON.stringify(args.map(encodeBytes));
  if (fits(given)) row.args = given;
  const answer = (row.bytes ?? 0) > each ? undefined : JSON.stringify(encodeBytes(reply));
  if (answer !== undefined && fits(answer)) row.answer = answer;
  else row.digest = digestOf(reply);
}

/** The digest of a file's content, or of any other answer's JSON. */
export function digestOf(reply: { value?: unknown }): string {
  const { value = reply } = reply;
  if (value instanceof Uint8Array) return sha256(value);
  const { hash } = Object(value) as { hash?: unknown };
  return typeof hash === 'string' ? hash : sha256(JSON.stringify(encodeBytes(value)));
}
