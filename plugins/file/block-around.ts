/** Longer definitions are cut: the place that was asked for matters more than the end. */
export const maxBlockLines = 60;

/** Words with which definitions begin, in the languages people use. */
const definition =
  /^\s*(export\s+|default\s+|pub(\([^)]*\))?\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|abstract\s+|final\s+|readonly\s+)*(function\b|class\b|interface\b|type\b|enum\b|struct\b|trait\b|impl\b|def\b|fn\b|func\b|module\b|namespace\b|const\b|let\b|var\b|(?!if\b|for\b|while\b|switch\b|catch\b|with\b|return\b)[\w$#]+\s*\([^)]*\)\s*(:\s*[^={]+)?\{)/;
const closing = /^\s*(\}|\]|\)|end\b|"""|''')/;
const comment = /^\s*(\/\/|\/?\*|#(?!!)|--|@\w)/;

/**
 * The definition that holds a line, told by indentation alone: from its comment to its end.
 *
 * @param line 1-based
 * @returns 1-based, inclusive
 */
export function blockAround(
  lines: readonly string[],
  line: number,
): { start: number; end: number } {
  const at = Math.min(Math.max(line, 1), Math.max(lines.length, 1)) - 1;
  const head = findHead(lines, at);
  const indent = indentOf(lines[head] ?? '');
  let end = head;
  for (let index = head + 1; index < lines.length; index += 1) {
    const text = lines[index] as string;
    if (text.trim() === '') continue;
    if (indentOf(text) > indent) end = index;
    else if (closing.test(text) && indentOf(text) === indent) end = index;
    else break;
  }
  let start = head;
  while (start > 0 && comment.test(lines[start - 1] as string)) start -= 1;
  if (end - start < maxBlockLines) return { start: start + 1, end: Math.max(end, at) + 1 };
  // The part of a long block around the line, with its head where that is near.
  const first = at - start < maxBlockLines - 10 ? start : at - 10;
  return { start: first + 1, end: Math.min(first + maxBlockLines, end + 1) };
}

/** The nearest line above, or the line itself, that begins a definition around it. */
function findHead(lines: readonly string[], at: number): number {
  let index = at;
  while (index < lines.length - 1 && !isCode(lines[index] as string)) index += 1;
  let indent = indentOf(lines[index] ?? '');
  if (definition.test(lines[index] ?? '')) return index;
  let outermost = index;
  for (let above = index - 1; above >= 0 && indent > 0; above -= 1) {
    const text = lines[above] as string;
    if (!isCode(text) || closing.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    outermost = above;
    if (definition.test(text)) return above;
  }
  return outermost;
}

function isCode(text: string): boolean {
  return text.trim() !== '' && !comment.test(text);
}

function indentOf(text: string): number {
  const spaces = /^[\t ]*/.exec(text)?.[0] ?? '';
  return spaces.replaceAll('\t', '    ').length;
}
