const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const joined = /\p{M}/u;

/** Columns a terminal gives the text: two for wide characters, none for combining marks. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += joined.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}

/**
 * Lines of at most `width` columns, broken at spaces, and inside a word only where it is wider
 * than a line.
 *
 * @param first what the first line begins with; the others are indented as far
 */
export function wrapText(first: string, text: string, width = 80): string[] {
  const indent = ' '.repeat(columnsOf(first));
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(/ +/).filter((part) => part !== '')) {
    if (!empty && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    empty = false;
    for (const character of word) {
      if (columnsOf(line) + columnsOf(character) > width) {
        lines.push(line);
        line = indent;
      }
      line += character;
    }
  }
  return [...lines, line];
}
