/**
 * The error case of a WASI function on its way into the guest: the generated glue sends what
 * stands in `payload` as the `err` of the result. A function without a result traps on it.
 */
export class WasiFailure extends Error {
  override readonly name = 'WasiFailure';
  readonly payload: unknown;

  constructor(payload: unknown) {
    super(typeof payload === 'string' ? payload : 'a WASI call failed');
    this.payload = payload;
  }
}
