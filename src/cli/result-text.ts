import { escapeLine, escapeTerminal } from '../lib/text/escape-terminal.ts';
import { placeOf } from '../lib/text/passage-text.ts';
import { shortenText } from '../lib/text/shorten-text.ts';
import { columnsOf } from '../lib/text/wrap-text.ts';
import { bold, diffLine, hitStyle, pathStyle } from './style.ts';

type Shape = Record<string, unknown>;

/** Rows that are looked at for the columns of a table. */
const maxMeasured = 500;
/** Columns of one cell that is not the last. */
const maxCell = 40;

/**
 * The result of a tool for a person at a terminal: lines of files as `path:line: text`, a patch as a
 * diff, a list as a table, anything else as `name: value`. Nothing in it is obeyed by a terminal but
 * the colours that are added here.
 *
 * @param input what the tool was called with: what was searched for stands out
 */
export function resultText(content: string, input: Shape, columns: number): string {
  const value = parsed(content);
  if (typeof value === 'string') return textLines(value);
  if (Array.isArray(value)) return listText(value, columns);
  if (typeof value !== 'object' || value === null) return escapeTerminal(content);
  const shape = value as Shape;
  const main = mainText(shape, input, columns);
  if (main === undefined) return objectText(shape, columns);
  const notes = [shape.cut, shape.truncated].filter((note) => typeof note === 'string');
  return [main, ...notes.map((note) => `(${escapeLine(note)})`)].filter(Boolean).join('\n');
}

/** What most people want of a shape that built-in tools give; undefined for any other. */
function mainText(shape: Shape, input: Shape, columns: number): string | undefined {
  const { matches, byFile, passages, patch, path, lines, stdout, stderr } = shape;
  const hit = hitIn(input);
  if (isRows(matches)) return matches.map((row) => matchText(row, hit)).join('\n');
  if (isRows(byFile)) {
    return byFile
      .flatMap((file) => rowsOf(file.blocks).map((block) => pieceText({ ...file, ...block }, hit)))
      .join('\n\n');
  }
  if (isRows(passages)) return passages.map((row) => pieceText(row, hit)).join('\n\n');
  if (typeof patch === 'string') {
    const head =
      typeof shape.commit === 'object' ? [objectText(shape.commit as Shape, columns), ''] : [];
    return [...head, textLines(patch.trimEnd())].join('\n');
  }
  if (typeof path === 'string' && typeof lines === 'string') return escapeTerminal(lines);
  if (typeof stdout === 'string') {
    return [stdout, stderr]
      .flatMap((text) =>
        typeof text === 'string' && text !== '' ? [textLines(text.trimEnd())] : [],
      )
      .join('\n');
  }
  return undefined;
}

/** A match with the lines around it, as `grep -n` writes them. */
function matchText({ path, line, text, before, after }: Shape, hit: Hit): string {
  const at = Number(line);
  const file = pathStyle(escapeLine(String(path)));
  const around = (lines: unknown, first: number): string[] =>
    (Array.isArray(lines) ? lines : []).map(
      (each, index) => `${file}-${first + index}- ${oneOf(each)}`,
    );
  const above = Array.isArray(before) ? before.length : 0;
  const parts = [
    ...around(before, at - above),
    `${file}:${at}: ${marked(oneOf(text), hit)}`,
    ...around(after, at + 1),
  ];
  return parts.join('\n');
}

function pieceText({ path, line, endLine, text }: Shape, hit: Hit): string {
  const lines = String(text).split('\n');
  const first = Number(line);
  const last = typeof endLine === 'number' ? endLine : first + lines.length - 1;
  const width = String(last).length;
  const numbered = lines.map(
    (each, index) => `${String(first + index).padStart(width)}  ${marked(oneOf(each), hit)}`,
  );
  const place = placeOf({ path: String(path), line: first, endLine: last });
  return [pathStyle(escapeTerminal(place)), ...numbered].join('\n');
}

/** One line: tabs stay, for they are what indents most code. */
function oneOf(text: unknown): string {
  return escapeTerminal(String(text).replaceAll('\n', '\\n'));
}

type Hit = RegExp | undefined;

/** Where a plain text was searched for; of other patterns only the host knows where they end. */
function hitIn({ pattern, literal, caseInsensitive }: Shape): Hit {
  if (typeof pattern !== 'string' || pattern === '') return undefined;
  if (literal !== true && !/^[\w\s'"`,;:!@#%&<>=/-]+$/.test(pattern)) return undefined;
  return new RegExp(RegExp.escape(pattern), caseInsensitive === true ? 'gi' : 'g');
}

function marked(text: string, hit: Hit): string {
  return hit === undefined ? text : text.replace(hit, (found) => hitStyle(found));
}

/** A text as it is; the lines of a diff in its colours. */
function textLines(text: string): string {
  const shown = escapeTerminal(text);
  const isDiff = /^(?:diff --git |--- )/m.test(shown) && /^@@ /m.test(shown);
  return isDiff
    ? shown
        .split('\n')
        .map((line) => diffLine(line))
        .join('\n')
    : shown;
}

function listText(list: readonly unknown[], columns: number): string {
  if (!list.every(isShape)) return list.map((each) => cellOf(each)).join('\n');
  return tableText(list, columns);
}

/** One line a row under the names of the fields. A line is cut where the terminal ends. */
function tableText(rows: readonly Shape[], columns: number): string {
  const names = [...new Set(rows.slice(0, maxMeasured).flatMap((row) => Object.keys(row)))];
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
  return [bold(lineOf(heads)), ...cells.map(lineOf)].join('\n');
}

function objectText(shape: Shape, columns: number): string {
  return Object.entries(shape)
    .map(([name, value]) => {
      const shown = escapeLine(name);
      if (typeof value === 'string' && value.includes('\n'))
        return `${bold(`${shown}:`)}\n${textLines(value.trimEnd())}`;
      if (isRows(value) && value.length > 0)
        return `${bold(`${shown}:`)}\n${tableText(value, columns)}`;
      if (Array.isArray(value) && value.length > 0)
        return `${bold(`${shown}:`)}\n${value.map((each) => cellOf(each)).join('\n')}`;
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

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is Shape[] {
  return Array.isArray(value) && value.every(isShape);
}

function rowsOf(value: unknown): Shape[] {
  return isRows(value) ? value : [];
}
