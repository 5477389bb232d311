/**
 * A guest said that it is done. It unwinds the guest's stack and ends the call, not the
 * process; whoever called into the guest catches it.
 */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  /** 0 is success; 0..255 */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the guest exited with ${exitCode}`);
    this.exitCode = exitCode;
  }
}
