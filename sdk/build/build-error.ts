/** The author's mistake: the message says what to change. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly code: 'invalid-argument' | 'not-found' | 'conflict';
  /** what to do next, where the message does not say it */
  readonly hint: string | undefined;

  constructor(
    message: string,
    options: ErrorOptions & Partial<Pick<BuildError, 'code' | 'hint'>> = {},
  ) {
    super(message, options);
    this.code = options.code ?? 'invalid-argument';
    this.hint = options.hint;
  }
}
