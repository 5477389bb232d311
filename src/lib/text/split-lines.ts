/**
 * The lines of a text, numbered as by git and ripgrep: one ends at `\n` or `\r\n`, and any other
 * `\r` is text. An end behind the last line begins no further one. `plugins/file/cut-lines.ts`
 * has the same for the tools.
 */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
