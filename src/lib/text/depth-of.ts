/** Greatest depth of brackets outside strings; for text that is not JSON any number will do. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/**
 * Strings are most of a text, and are not read letter by letter.
 *
 * @param start of the quote that begins it
 * @returns where the quote stands that ends it, or the text
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Deeper values overflow the stack of every function that calls itself for each level. */
const maxDepth = 500;

/** Whether JSON is nested deeper than what reads its value can follow. */
export function isTooDeep(json: string): boolean {
  return json.length > maxDepth && depthOf(json) > maxDepth;
}
