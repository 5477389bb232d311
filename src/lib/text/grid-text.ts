import { escapeLine } from './escape-terminal.ts';
import { shortenText } from './shorten-text.ts';
import { columnsOf } from './wrap-text.ts';

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
