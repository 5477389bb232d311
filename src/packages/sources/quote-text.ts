import { escapeLine } from '../../lib/text/escape.ts';

/** A stranger's text in double quotes, escaped, and cut so that a message stays readable. */
export function quoteText(text: string, maxLength = 120): string {
  return `"${escapeLine(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)}"`;
}
