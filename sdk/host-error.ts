import type { HostError as WitHostError } from 'cuervo:host/types@0.1.0';

export type HostErrorCode = WitHostError['tag'];

/** A host call that did not succeed; `code` is the case of `cuervo:host/types.host-error`. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Runs a host call; its error, which engines wrap differently, becomes a `HostError`. */
export function hostCall<Value>(call: () => Value): Value {
  try {
    return call();
  } catch (thrown) {
    const wrapped = thrown as { payload?: WitHostError; tag?: string };
    const error =
      wrapped.payload ?? (wrapped.tag === undefined ? undefined : (thrown as WitHostError));
    if (error === undefined) throw thrown;
    throw new HostError(error.tag, error.val);
  }
}
