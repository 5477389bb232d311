/** Whether standard output takes colours: a terminal, and nobody said no. */
function colours(): boolean {
  const { NO_COLOR, TERM } = process.env;
  return process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

export function bold(text: string): string {
  return colours() ? `\u001b[1m${text}\u001b[22m` : text;
}
