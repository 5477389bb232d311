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

/**
 * The lines of a stream of text, without their ends.
 *
 * @param maxCharacters longest line; a longer one is cut after one more, so that its reader refuses
 *   it, and nothing after it is read
 */
export async function* readLines(
  input: AsyncIterable<string>,
  maxCharacters: number,
): AsyncGenerator<string, void, undefined> {
  let pending = '';
  for await (const chunk of input) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) yield line;
    if (pending.length > maxCharacters) {
      yield pending.slice(0, maxCharacters + 1);
      return;
    }
  }
  if (pending !== '') yield pending;
}
