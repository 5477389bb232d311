/**
 * Characters that a person does not see and a model reads: controls but for tab and line ends, marks
 * and overrides of direction, spaces and joiners without a width, fillers, tags, further selectors of
 * variants.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/** Flags of parts of a country, which are written with tags: England, Scotland, Wales. */
const flags =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** What a joiner joins: parts of an emoji, letters of scripts that are written joined. */
const joined =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u0590-\u0fff\u1000-\u109f\u1780-\u18af]|\ufe0f/u;

/** `[U+200B]` */
function shown(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `[U+${code}]`;
}

/**
 * Writes hidden characters out. Joiners within emoji and joined scripts, marks of direction where
 * something is written from right to left, and a byte order mark in front stay as they are.
 *
 * @returns the text, and what was written out, one entry each time
 */
export function showHidden(text: string): { text: string; shown: { as: string; of: string }[] } {
  const found: { as: string; of: string }[] = [];
  if (text.search(hidden) < 0) return { text, shown: found };
  const isRightToLeft = rightToLeft.test(text);
  const inFlags = new Set<number>();
  for (const { index, 0: flag } of text.matchAll(flags)) {
    for (let at = index; at < index + flag.length; at += 1) inFlags.add(at);
  }
  const written = text.replace(hidden, (character: string, at: number) => {
    if (inFlags.has(at) || (character === '\ufeff' && at === 0)) return character;
    if (isRightToLeft && /[\u061c\u200e\u200f]/.test(character)) return character;
    if (/[\u200c\u200d]/.test(character) && isJoint(text, at)) return character;
    found.push({ as: shown(character), of: character });
    return shown(character);
  });
  return { text: written, shown: found };
}

function isJoint(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return joined.test(before) && joined.test(after);
}
