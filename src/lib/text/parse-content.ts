import { isTooDeep } from './depth-of.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * What a tool gave: JSON, or a text. A tool whose schema says that it gives a text gives no JSON, and
 * what is nested without an end is a text.
 */
export function parseContent(content: string, schema?: ValueSchema): unknown {
  if (schema?.type === 'string' || isTooDeep(content)) return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
