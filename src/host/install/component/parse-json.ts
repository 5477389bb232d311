import type { JsonObject } from '../../../contracts/tool.ts';
import { fault } from './byte-reader.ts';

/** Deep enough for any schema a person writes; shallow enough for every recursive reader. */
const maxDepth = 64;

/**
 * A JSON object that a stranger wrote.
 *
 * @param what names the text in errors, e.g. `manifest` or `tools[0].inputSchema`
 * @param maxBytes of the text in UTF-8
 * @throws {KernelError} `plugin-fault` when it is too large, no JSON, no object, or nested deeper
 *   than 64 levels
 */
export function parseJsonObject(text: string, what: string, maxBytes: number): JsonObject {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw fault(`${what} has ${bytes} bytes, limit ${maxBytes}`);
  if (depthOf(text) > maxDepth) throw fault(`${what} is nested deeper than ${maxDepth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault(`${what} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault(`${what} is not a JSON object`);
  }
  return value as JsonObject;
}

/** Greatest depth of brackets outside strings; for text that is not JSON any number will do. */
function depthOf(text: string): number {
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
