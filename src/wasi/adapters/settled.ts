import type { ToolErrorCase } from '../../contracts/tool.ts';

/** A failure of a call that is ours to tell, in the form in which glue throws a tool's own. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly payload: { tag: ToolErrorCase; val: string };
  /** the guest's own words, so what it did before holds */
  isTold = false;

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

/**
 * Goes on with what `run` gives or throws: at once, or when its promise settles, which a function of
 * an asynchronous component gives.
 */
export function settled<Value, Result>(
  run: () => Value | Promise<Value>,
  then: {
    value(value: Value): Result | Promise<Result>;
    error(thrown: unknown): Result | Promise<Result>;
  },
): Result | Promise<Result> {
  let value: Value | Promise<Value>;
  try {
    value = run();
  } catch (thrown) {
    return then.error(thrown);
  }
  return value instanceof Promise ? value.then(then.value, then.error) : then.value(value);
}

/** Goes on when what the guest wrote to streams has arrived: at once, where it wrote to none. */
export function afterStreams<Result>(
  { settled: wait }: { settled(): undefined | Promise<undefined> },
  go: () => Result,
): Result | Promise<Result> {
  const waiting = wait();
  return waiting === undefined ? go() : waiting.then(go);
}
