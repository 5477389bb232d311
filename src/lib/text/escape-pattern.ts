/** A text as a regular expression for exactly that text, as short as people read it in a plan. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
