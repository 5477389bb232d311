/**
 * Text without its middle where it is too long, at line ends where there are any.
 *
 * @param maxLength UTF-16 units of what is kept
 */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const headEnd = text.lastIndexOf('\n', half) + 1;
  const tailStart = text.indexOf('\n', text.length - half) + 1;
  const head = text.slice(0, headEnd > half / 2 ? headEnd : half);
  const tail = text.slice(
    tailStart > 0 && tailStart < text.length ? tailStart : text.length - half,
  );
  const cut = text.slice(head.length, text.length - tail.length);
  const lines = cut.split('\n').length - 1;
  return `${head}… ${cut.length} characters, ${lines} lines are left out …\n${tail}`;
}
