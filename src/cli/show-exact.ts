/**
 * Characters that a terminal would act on or that are invisible: controls, format characters (bidi
 * overrides, zero width), surrogates without their half, private use, unassigned, separators, every
 * space but the plain one, and the Braille pattern without dots.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/**
 * A text of a stranger in double quotes, on one line, readable in one way only: what cannot be seen
 * stands as an escape, as in JSON, and so do quotes and backslashes. Reading it as JSON gives the
 * text again, where nothing was cut.
 *
 * @param maxLength characters that are shown; a longer text loses its middle, and the number of
 *   missing characters follows the quotes
 */
export function showExact(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const characters = [...text];
  if (characters.length <= maxLength) return quote(text);
  const head = Math.ceil(maxLength / 2);
  const tail = Math.floor(maxLength / 2);
  const cut = characters.length - head - tail;
  const end = characters.slice(characters.length - tail).join('');
  return `${quote(characters.slice(0, head).join(''))} … ${cut} characters are not shown … ${quote(end)}`;
}

/** Whether each character of a text can be seen as what it is; a plain space can. */
export function isSeen(text: string): boolean {
  return text.search(unseen) === -1;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(unseen, escapeUnits);
}

/** `\u202e`; two of them for what UTF-16 writes as two. */
function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
