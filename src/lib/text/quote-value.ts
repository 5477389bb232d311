import { escapeLine } from './escape.ts';

/** A value in an error or hint: quoted, cut, on one line, safe to print. */
export function quoteValue(text: string): string {
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return `"${escapeLine(cut)}"`;
}
