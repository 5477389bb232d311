import type { ValueSchema } from './value-schema.ts';

/** What a tool gave: JSON, or a text. A tool whose schema says that it gives a text gives no JSON. */
export function parseContent(content: string, schema?: ValueSchema): unknown {
  if (schema?.type === 'string') return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
