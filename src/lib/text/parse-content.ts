import { isTooDeep } from './depth-of.ts';
import type { ValueSchema } from './value-schema.ts';

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
