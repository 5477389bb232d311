import type { Json } from '../contracts/tool.ts';

/** All texts of a value, in their order. */
export function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
