/** One thing that `cuervo doctor` looked at. */
export type Finding = {
  name: string;
  /** `warn`: works, but less well or less safely than it could */
  status: 'ok' | 'warn' | 'fail';
  /** one sentence, no full stop */
  finding: string;
  /** the command that fixes it, to be pasted; every `warn` and `fail` has one */
  fix?: string;
};
