/** Greatest depth of brackets outside strings; for text that is not JSON any number will do. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/** Deeper values overflow the stack of every function that calls itself for each level. */
const maxDepth = 500;

/** Whether JSON is nested deeper than what reads its value can follow. */
export function isTooDeep(json: string): boolean {
  return json.length > maxDepth && depthOf(json) > maxDepth;
}
