import { escapeLine } from './escape.ts';

/**
 * East_Asian_Width W and F, in ranges that hold what is not yet assigned between them, and emoji:
 * https://www.unicode.org/Public/UCD/latest/ucd/EastAsianWidth.txt
 */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d37f}\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}\p{Emoji_Presentation}]/u;
/** Marks that stand over, under or around what is before them; those beside it have a column. */
const joined = /[\p{Mn}\p{Me}]/u;

/** Characters of one column each. */
const narrow = /^[\x20-\x7e]*$/;

/**
 * Columns a terminal gives the text, or more: two for wide characters, none for marks over others.
 * Never less, as `string-width` counts for flags and joined emoji that a terminal cannot draw: text
 * of a stranger would run over the edge and begin a line of its own.
 */
export function columnsOf(text: string): number {
  if (narrow.test(text)) return text.length;
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
  const indented = columnsOf(first);
  const indent = ' '.repeat(indented);
  const lines: string[] = [];
  let line = first;
  /** of the line so far: to count them anew at each character takes a hundred times as long */
  let columns = indented;
  let empty = true;
  const endLine = (): void => {
    lines.push(line);
    line = indent;
    columns = indented;
  };
  for (const word of text.split(/ +/).filter((part) => part !== '')) {
    const wordColumns = columnsOf(word);
    if (!empty && columns + 1 + wordColumns > width) {
      endLine();
      empty = true;
    }
    if (!empty) {
      line += ' ';
      columns += 1;
    }
    empty = false;
    if (columns + wordColumns <= width) {
      line += word;
      columns += wordColumns;
      continue;
    }
    for (const character of word) {
      const more = columnsOf(character);
      if (columns + more > width) endLine();
      line += character;
      columns += more;
    }
  }
  return [...lines, line];
}

/** A line in lines of at most `width` columns, indented as it is. */
export function wrapLine(line: string, width: number): string[] {
  return columnsOf(line) <= width
    ? [line]
    : wrapText(/^ {0,20}/.exec(line)?.[0] ?? '', line, width);
}

/** At most `width` columns of a terminal; what was cut away is shown as `…`. */
export function shortenText(text: string, width: number): string {
  let columns = 0;
  let kept = 0;
  let end = 0;
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > width) return `${text.slice(0, kept)}…`;
    end += character.length;
    if (columns < width) kept = end;
  }
  return text;
}

const maxCharacters = 160;

/** The words of a fact on one line, as answers quote them. */
export function factText(text: string): string {
  return shortenText(text.replace(/\s+/g, ' '), maxCharacters);
}

/** Rows that are looked at for the widths of columns. */
export const maxMeasured = 500;
/** Columns of one cell that is not the last. */
const maxCell = 40;

/**
 * Cells below their heads, columns of numbers to the right. A line is cut where the terminal ends.
 *
 * @param heads no line where all are empty
 * @param options.numbers which columns hold numbers
 */
export function gridText(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  options: { numbers: readonly boolean[]; columns: number; head(text: string): string },
): string {
  const shown = heads.map(escapeLine);
  const widths = shown.map((head, at) => {
    const measured = rows.slice(0, maxMeasured).map((row) => columnsOf(row[at] ?? ''));
    return Math.min(maxCell, Math.max(columnsOf(head), ...measured));
  });
  const lineOf = (row: readonly string[]): string => {
    const parts = row.map((cell, at) => {
      const isLast = at === row.length - 1;
      const text = isLast ? cell : shortenText(cell, widths[at] ?? 0);
      const padding = ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(text)));
      if (options.numbers[at] === true) return padding + text;
      return isLast ? text : text + padding;
    });
    return shortenText(parts.join('  ').trimEnd(), options.columns);
  };
  const lines = rows.map(lineOf);
  return shown.some((head) => head !== '')
    ? [options.head(lineOf(shown)), ...lines].join('\n')
    : lines.join('\n');
}
