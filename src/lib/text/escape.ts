/**
 * Characters that a terminal would act on, or that would change the order or hide text: C0 and C1
 * controls (without `\n`, `\t`), DEL, bidirectional marks, embeddings, overrides and isolates, line
 * and paragraph separators, invisible tag characters, lone surrogates.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** `\x1b` for one byte, `\u{202e}` for the rest. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/**
 * A text that can be printed: nothing in it moves the cursor, colours, rings, or reorders what a
 * person reads. `\n` and `\t` stay, a `\r\n` becomes `\n`; everything else of the kind turns into
 * visible escapes.
 */
export function escapeTerminal(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, visible);
}

/** A name or a value as part of one line: line ends and tabs become escapes, too. */
export function escapeLine(text: string): string {
  return escapeTerminal(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/**
 * JSON that can be printed: the same value, with what `escapeTerminal` would change written as
 * `\u` escapes. JSON itself lets C1 controls and directions of text through.
 *
 * @param json of `JSON.stringify`: the only place for such characters is inside of strings
 */
export function escapeJson(json: string): string {
  return json.replace(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** A text as a regular expression for exactly that text, as short as people read it in a plan. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * A path as one word of a POSIX shell or zsh, for a command that a person is to type. A path that
 * begins with `-` gets a `./`: quotes do not keep a program from taking it for an option.
 */
export function shellWord(text: string): string {
  const path = text.startsWith('-') ? `./${text}` : text;
  // zsh takes a word that begins with = for the place of a program
  const isPlain = /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(path);
  return isPlain ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A stranger's text in double quotes, escaped, and cut so that a message stays readable. */
export function quoteText(text: string, maxLength = 120): string {
  return `"${escapeLine(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)}"`;
}

/**
 * Names of files that hold one of these cannot be written as a path: a line end or an escape in it
 * would be read as a line of an answer, or obeyed by a terminal. Tools refuse such a path, and
 * whatever lists files leaves it out. So is a name that is not UTF-8, which has halves of surrogate
 * pairs here. (The first two ranges are `\p{Cc}`, for which each plugin process would open tables of
 * Unicode as it starts.)
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
export const unprintablePath = /[\u0000-\u001f\u007f-\u009f\\\u2028\u2029\ud800-\udfff]/u;
