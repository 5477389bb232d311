/** Where a value stands in a text: from `start` to before `end`. */
export type Span = { start: number; end: number };

/**
 * Where the members of a JSON object stand, by name and in their order; the last one counts
 * where a name is there twice, as for `JSON.parse`.
 *
 * A change made between spans leaves each other byte of a file as it is: numbers too long for a
 * double, the order of keys, escapes and white space, which parsing and printing would not.
 *
 * @param text JSON that `JSON.parse` took; of anything else the spans mean nothing
 */
export function memberSpans(text: string, object: Span): Map<string, { key: Span; value: Span }> {
  const members = new Map<string, { key: Span; value: Span }>();
  let at = skipSpace(text, object.start + 1);
  while (at < object.end - 1) {
    const key = valueSpan(text, at);
    const colon = skipSpace(text, key.end);
    const value = valueSpan(text, colon + 1);
    members.set(JSON.parse(text.slice(key.start, key.end)) as string, { key, value });
    at = skipSpace(text, skipSpace(text, value.end) + 1);
  }
  return members;
}

/** Where the items of a JSON array stand. */
export function itemSpans(text: string, array: Span): Span[] {
  const items: Span[] = [];
  let at = skipSpace(text, array.start + 1);
  while (at < array.end - 1) {
    const item = valueSpan(text, at);
    items.push(item);
    at = skipSpace(text, skipSpace(text, item.end) + 1);
  }
  return items;
}

/** Where the value stands that begins at an offset, or behind white space there. */
export function valueSpan(text: string, offset: number): Span {
  const start = skipSpace(text, offset);
  const first = text[start];
  if (first === '"') return { start, end: endOfString(text, start) };
  if (first === '{' || first === '[') return { start, end: endOfNested(text, start) };
  const rest = /[,\]}\s]|$/g;
  rest.lastIndex = start;
  return { start, end: rest.exec(text)?.index ?? text.length };
}

function endOfNested(text: string, start: number): number {
  const mark = /["{}[\]]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = endOfString(text, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return found.index + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** An odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && ' \n\r\t'.includes(text[at] as string)) at += 1;
  return at;
}
