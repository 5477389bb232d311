import type { JsonObject } from '../contracts/tool.ts';
import { isObject } from '../contracts/tool.ts';
import { escapeLine, escapeTerminal } from '../lib/text/escape.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { placeOf } from '../lib/text/passage-text.ts';
import { isRows, valueText } from '../lib/text/value-text.ts';
import { bold, diffLine, hitStyle, pathStyle } from './style.ts';

type Shape = Record<string, unknown>;

const style = { head: (text: string) => bold(text), text: textLines };

/**
 * The result of a tool for a person at a terminal: lines of files as `path:line: text`, a patch as a
 * diff, a list as a table, anything else as `name: value`. Nothing in it is obeyed by a terminal but
 * the colours that are added here.
 *
 * @param input what the tool was called with: what was searched for stands out
 * @param schema of the result, where the tool describes it
 */
export function resultText(
  content: string,
  input: Shape,
  columns: number,
  schema?: JsonObject,
): string {
  const value = parseContent(content, schema);
  const shape: Shape = isObject(value) ? value : {};
  const main = mainText(shape, input, columns);
  if (main === undefined) return valueText(value, columns, { schema, style });
  const notes = [shape.cut, shape.truncated].filter((note) => typeof note === 'string');
  return [main, ...notes.map((note) => `(${escapeLine(note)})`)].filter(Boolean).join('\n');
}

/** The useful part of the shapes that built-in tools return; undefined for other shapes. */
function mainText(shape: Shape, input: Shape, columns: number): string | undefined {
  const { matches, byFile, passages, patch, path, lines, stdout, stderr } = shape;
  const hit = hitIn(input);
  if (isRows(matches) && matches.every(isPlaced))
    return matches.map((row) => matchText(row, hit)).join('\n');
  if (isRows(byFile) && byFile.every(({ blocks }) => isRows(blocks))) {
    return byFile
      .flatMap((file) => rowsOf(file.blocks).map((block) => pieceText({ ...file, ...block }, hit)))
      .join('\n\n');
  }
  if (isRows(passages) && passages.every(isPlaced))
    return passages.map((row) => pieceText(row, hit)).join('\n\n');
  if (typeof patch === 'string') {
    const head =
      typeof shape.commit === 'object' ? [valueText(shape.commit, columns, { style }), ''] : [];
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

/** On one line. Tabs stay, because they indent code. */
function oneOf(text: unknown): string {
  return escapeTerminal(String(text).replaceAll('\n', '\\n'));
}

type Hit = RegExp | undefined;

/** The place of a hit for a plain text; the end of a pattern's match is known to the host only. */
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

function rowsOf(value: unknown): Shape[] {
  return isRows(value) ? value : [];
}

/** Lines of a file, not what another tool calls so. */
function isPlaced({ path, line }: Shape): boolean {
  return typeof path === 'string' && typeof line === 'number';
}
