/**
 * Why no test ran: the runner itself is not installed, and how a person brings it.
 *
 * @param printed both outputs of the command
 * @returns undefined where nothing says so
 */
export function missingRunner(printed: string): string | undefined {
  const python = /No module named ['"]?(pytest|unittest2|nose2?)\b/.exec(printed)?.[1];
  if (python !== undefined) {
    return `${python} is not installed: python3 -m venv .venv && .venv/bin/pip install ${python}`;
  }
  const program = /^(?:sh|bash|dash|zsh):(?: (?:line )?\d+:)? ([\w.-]+): (?:command )?not found$/m;
  const missing = program.exec(printed)?.[1];
  if (missing !== undefined) {
    return `${missing} is not installed: bring the packages of the project first, e.g. npm ci`;
  }
  return undefined;
}
