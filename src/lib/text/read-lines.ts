/**
 * The lines of a stream of text, without their ends.
 *
 * @param maxCharacters longest line; of a longer one this many and one are given, so that its
 *   reader refuses it, and nothing after it is read
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
