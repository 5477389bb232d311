import type { ValueSchema } from './value-schema.ts';

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

/**
 * JSON whose whole numbers keep their digits: one that a number of JavaScript cannot hold becomes
 * a string of its digits, instead of another number. Tools with 64-bit integers take both.
 *
 * @throws {SyntaxError} for text that is not JSON, or is nested without an end
 */
export function parseExactJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('the JSON is nested too deep');
  // Most texts have no number that long, and a reviver makes parsing several times slower.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value) as (key: string, value: unknown) => unknown);
}

/**
 * The result of a tool: JSON, or a text. A tool whose schema is a text returns no JSON, and too
 * deeply nested JSON counts as a text.
 */
export function parseContent(content: string, schema?: ValueSchema): unknown {
  if (schema?.type === 'string' || isTooDeep(content)) return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
