/**
 * Characters that a terminal would execute, that reorder a line, or that are invisible: controls,
 * format characters (bidi overrides, zero width), surrogates without their half, private use,
 * unassigned, line and paragraph separators, and everything Unicode draws as nothing.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const allUnprintable = new RegExp(unprintable.source, 'gu');

/** `U+202E` for the first character that must not be shown; undefined when there is none. */
export function firstUnprintable(text: string): string | undefined {
  const found = unprintable.exec(text)?.[0];
  return found === undefined ? undefined : `U+${hex(found).toUpperCase().padStart(4, '0')}`;
}

/** The text on one line, safe for a terminal: what must not be shown stands as `\u{202e}`. */
export function escapeText(text: string): string {
  return text.replace(allUnprintable, (character) => `\\u{${hex(character)}}`);
}

/** The text in double quotes, escaped, and cut so that a message stays readable. */
export function quoteText(text: string, maxLength = 120): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return `"${escapeText(cut)}"`;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
