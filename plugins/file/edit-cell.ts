import { EditError, replaceText } from './edit-text.ts';
import type { Span } from './json-spans.ts';
import { indentAt, layoutOf, printJson } from './notebook-layout.ts';
import { type Cell, findCell, type Notebook } from './read-notebook.ts';

/** What ends a line for Python's `splitlines`, which Jupyter uses to divide a source. */
const lineEnds = '\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029';

/** One of: a new source, an exact replacement in it, the removal of the cell. */
export type CellEdit = {
  cell: number | string;
  source?: string | undefined;
  old?: string | undefined;
  new?: string | undefined;
  all?: boolean | undefined;
  insert?: 'before' | 'after' | undefined;
  type?: 'code' | 'markdown' | undefined;
  delete?: boolean | undefined;
};

/** The notebook's new text, and the source of the one cell before and after. */
export type EditedCell = {
  text: string;
  cell: { number: number; id?: string; type: string };
  before: string;
  after: string;
  /** outputs that went */
  cleared: number;
};

/**
 * Changes, adds or removes one cell. Every byte that is not the cell's source, or an output of
 * what is no longer its source, stays.
 *
 * @throws {EditError} `invalid-input` for an edit that says too much or too little, `not-found`
 *   and `conflict` for a cell or a piece that is missing, or there more than once
 */
export function editCell(notebook: Notebook, edit: CellEdit): EditedCell {
  checkEdit(edit);
  if (edit.insert !== undefined) return addCell(notebook, edit);
  const cell = findCell(notebook, edit.cell);
  if (edit.delete) return removeCell(notebook, cell);
  const after = newSource(notebook, cell, edit);
  if (after === cell.source) {
    const message = `cell ${cell.number} of ${notebook.path} has this source already`;
    throw new EditError('invalid-input', message);
  }
  return changeCell(notebook, cell, after);
}

function checkEdit(edit: CellEdit): void {
  const ways = [edit.source, edit.old, edit.delete || undefined];
  const said = ways.filter((way) => way !== undefined).length;
  const wrong =
    said !== 1
      ? 'give one of source, old with new, or delete'
      : (edit.old === undefined) !== (edit.new === undefined)
        ? 'old and new go together'
        : edit.insert !== undefined && edit.source === undefined
          ? 'insert needs the source of the new cell'
          : edit.type !== undefined && edit.insert === undefined
            ? 'type is for insert only; an existing cell keeps its type'
            : undefined;
  if (wrong !== undefined) throw new EditError('invalid-input', wrong);
}

function newSource({ path }: Notebook, cell: Cell, edit: CellEdit): string {
  if (edit.old === undefined || edit.new === undefined) return edit.source ?? '';
  const replacement = { old: edit.old, new: edit.new, all: edit.all };
  return replaceText(cell.source, replacement, `cell ${cell.number} of ${path}`).text;
}

function changeCell(notebook: Notebook, cell: Cell, after: string): EditedCell {
  const { text, root } = notebook;
  const { members } = cell;
  const source = members.get('source');
  if (source === undefined) {
    const message = `cell ${cell.number} of ${notebook.path} has no source`;
    throw new EditError('invalid-input', message);
  }
  const lines = printJson(
    sourceLines(after),
    layoutOf(text, root),
    indentAt(text, source.key.start),
  );
  const changes: [Span | undefined, string][] = [[source.value, lines]];
  if (cell.type === 'code') {
    changes.push([members.get('outputs')?.value, '[]']);
    changes.push([members.get('execution_count')?.value, 'null']);
  }
  const cleared = cell.type === 'code' ? cell.outputs : 0;
  return { text: splice(text, changes), cell: named(cell), before: cell.source, after, cleared };
}

function addCell(notebook: Notebook, edit: CellEdit): EditedCell {
  const { text, root, list, cells, minor } = notebook;
  const { source = '', type = 'code' } = edit;
  const id = minor >= 5 ? { id: freshId(notebook) } : {};
  // In the order of Jupyter, which sorts keys.
  const fresh = {
    cell_type: type,
    ...(type === 'code' ? { execution_count: null } : {}),
    ...id,
    metadata: {},
    ...(type === 'code' ? { outputs: [] } : {}),
    source: sourceLines(source),
  };
  const layout = layoutOf(text, root);
  const outcome = { before: '', after: source, cleared: 0 };
  if (cells.length === 0 && Number(edit.cell) === 1) {
    const printed = printJson([fresh], layout, indentAt(text, list.key.start));
    const change = splice(text, [[list.value, printed]]);
    return { ...outcome, text: change, cell: { number: 1, ...id, type } };
  }
  const beside = findCell(notebook, edit.cell);
  const indent = indentAt(text, beside.span.start);
  const printed = printJson(fresh, layout, indent);
  const comma = indent === undefined ? layout.comma : `,${layout.newline}${indent}`;
  const isBefore = edit.insert === 'before';
  const at = isBefore ? beside.span.start : beside.span.end;
  const added = isBefore ? printed + comma : comma + printed;
  const number = beside.number + (isBefore ? 0 : 1);
  const change = splice(text, [[{ start: at, end: at }, added]]);
  return { ...outcome, text: change, cell: { number, ...id, type } };
}

function removeCell({ text, list, cells }: Notebook, cell: Cell): EditedCell {
  const next = cells[cell.number];
  const last = cells[cell.number - 2];
  const change: [Span, string] =
    next !== undefined
      ? [{ start: cell.span.start, end: next.span.start }, '']
      : last !== undefined
        ? [{ start: last.span.end, end: cell.span.end }, '']
        : [list.value, '[]'];
  const outcome = { before: cell.source, after: '', cleared: cell.outputs };
  return { text: splice(text, [change]), cell: named(cell), ...outcome };
}

/** Made from the text, so that the same edit gives the same file; 8 hex digits as Jupyter's own. */
function freshId({ text, cells }: Notebook): string {
  const taken = new Set(cells.map(({ id }) => id));
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  const hex = () => hash.toString(16).padStart(8, '0');
  while (taken.has(hex())) hash = (hash + 1) >>> 0;
  return hex();
}

function sourceLines(source: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < source.length; at += 1) {
    if (!lineEnds.includes(source[at] as string)) continue;
    if (source[at] === '\r' && source[at + 1] === '\n') continue;
    lines.push(source.slice(start, at + 1));
    start = at + 1;
  }
  if (start < source.length) lines.push(source.slice(start));
  return lines;
}

function splice(text: string, changes: readonly [Span | undefined, string][]): string {
  const fromEnd = changes
    .flatMap(([span, fresh]) => (span === undefined ? [] : [{ ...span, fresh }]))
    .sort((one, other) => other.start - one.start);
  return fromEnd.reduce(
    (changed, { start, end, fresh }) => changed.slice(0, start) + fresh + changed.slice(end),
    text,
  );
}

function named({ number, id, type }: Cell): EditedCell['cell'] {
  return { number, ...(id === undefined ? {} : { id }), type };
}
