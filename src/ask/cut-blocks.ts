/** A block begins where lines of little indent follow an empty one, and has so many lines. */
const fewestLines = 8;
const mostLines = 30;
const beginning = /^\s{0,4}\S/;

/**
 * Cuts a text where its definitions begin, as far as empty lines and indentation tell.
 *
 * @returns all of its lines, in their order
 */
export function cutBlocks(text: string): string[] {
  const lines = text.split('\n');
  const blocks: string[] = [];
  let from = 0;
  for (let at = 1; at <= lines.length; at += 1) {
    const begins = beginning.test(lines[at] ?? '') && (lines[at - 1] as string).trim() === '';
    const count = at - from;
    if (at === lines.length || count >= mostLines || (count >= fewestLines && begins)) {
      blocks.push(lines.slice(from, at).join('\n'));
      from = at;
    }
  }
  return blocks;
}
