/** A text as an expression that finds it as it stands, with `u` and without. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
