import type { JsonObject } from '../../../contracts/tool.ts';
import { depthOf } from '../../../lib/text/parse-json.ts';
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
