const unprintable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A value in an error or hint: quoted, cut, and without a character a terminal would execute. */
export function quoteValue(text: string): string {
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  const safe = cut.replace(unprintable, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${safe}"`;
}
