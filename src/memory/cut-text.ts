/** The first characters (UTF-16 units), never half a surrogate pair. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}
