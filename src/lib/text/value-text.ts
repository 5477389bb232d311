import { escapeLine, escapeTerminal } from './escape-terminal.ts';
import { shortenText } from './shorten-text.ts';
import { columnsOf } from './wrap-text.ts';

type Shape = Record<string, unknown>;

/** How a terminal shows the names of fields, and texts of several lines. */
type TextStyle = { head(text: string): string; text(text: string): string };

const plain: TextStyle = { head: (text) => text, text: escapeTerminal };

/** Rows that are looked at for the columns of a table. */
const maxMeasured = 500;
/** Columns of one cell that is not the last. */
const maxCell = 40;
/** Rows with more different fields are no table. */
const maxFields = 32;

/**
 * A value for a person: a list of objects as a table, any other list as lines, an object as
 * `name: value`. Nothing in it is obeyed by a terminal but what `style` adds.
 *
 * @param columns that a line may take
 */
export function valueText(value: unknown, columns: number, style = plain): string {
  if (typeof value === 'string') return style.text(value);
  if (Array.isArray(value)) return listText(value, columns, style);
  return isShape(value) ? objectText(value, columns, style) : cellOf(value);
}

export function isRows(value: unknown): value is Shape[] {
  return Array.isArray(value) && value.every(isShape);
}

function listText(list: readonly unknown[], columns: number, style: TextStyle): string {
  return isRows(list)
    ? tableText(list, columns, style)
    : list.map((each) => cellOf(each)).join('\n');
}

/** One line a row under the names of the fields. A line is cut where the terminal ends. */
function tableText(rows: readonly Shape[], columns: number, style: TextStyle): string {
  const names = [...new Set(rows.slice(0, maxMeasured).flatMap((row) => Object.keys(row)))];
  if (names.length > maxFields) return rows.map((row) => cellOf(row)).join('\n');
  const cells = rows.map((row) => names.map((name) => cellOf(row[name], name)));
  const heads = names.map(escapeLine);
  const widths = heads.map((head, at) => {
    const measured = cells.slice(0, maxMeasured).map((row) => columnsOf(row[at] ?? ''));
    return Math.min(maxCell, Math.max(columnsOf(head), ...measured));
  });
  const lineOf = (row: readonly string[]): string => {
    const parts = row.map((cell, at) => {
      if (at === row.length - 1) return cell;
      const shown = shortenText(cell, widths[at] ?? 0);
      return shown + ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(shown)));
    });
    return shortenText(parts.join('  ').trimEnd(), columns);
  };
  return [style.head(lineOf(heads)), ...cells.map(lineOf)].join('\n');
}

function objectText(shape: Shape, columns: number, style: TextStyle): string {
  return Object.entries(shape)
    .map(([name, value]) => {
      const shown = escapeLine(name);
      if (typeof value === 'string' && value.includes('\n'))
        return `${style.head(`${shown}:`)}\n${style.text(value.trimEnd())}`;
      if (Array.isArray(value) && value.length > 0)
        return `${style.head(`${shown}:`)}\n${listText(value, columns, style)}`;
      return `${shown}: ${Array.isArray(value) ? 'none' : cellOf(value)}`;
    })
    .join('\n');
}

function cellOf(value: unknown, name = ''): string {
  if (value === undefined || value === null) return '';
  // As git shortens it.
  if (name === 'hash') return escapeLine(String(value).slice(0, 10));
  return escapeLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
