import { EditError } from './edit-text.ts';
import { itemSpans, memberSpans, type Span, valueSpan } from './json-spans.ts';

/** A cell of a notebook; `number` counts from 1, `id` is there from nbformat 4.5 on. */
export type Cell = {
  number: number;
  id?: string;
  type: string;
  source: string;
  /** how many outputs a code cell keeps */
  outputs: number;
  span: Span;
  members: ReturnType<typeof memberSpans>;
};

/** A notebook as the text that it is, with the places of its cells. */
export type Notebook = {
  path: string;
  text: string;
  /** the minor number of nbformat 4 */
  minor: number;
  root: Span;
  /** the key `cells` and its list */
  list: { key: Span; value: Span };
  cells: Cell[];
};

/**
 * Reads a notebook of nbformat 4, the only one that Jupyter has written since 2015.
 *
 * @param path for messages
 * @throws {EditError} `invalid-input` for what is no such notebook
 */
export function readNotebook(text: string, path: string): Notebook {
  const value = parsed(text, path);
  if (!isObject(value) || value.nbformat !== 4) {
    const found = isObject(value) ? JSON.stringify(value.nbformat) : undefined;
    const why = found === undefined ? 'it has no nbformat' : `its nbformat is ${found}`;
    throw none(path, `${why}, and it must be 4`);
  }
  const root = valueSpan(text, 0);
  const list = memberSpans(text, root).get('cells');
  if (list === undefined || !Array.isArray(value.cells)) throw none(path, 'it has no list "cells"');
  const spans = itemSpans(text, list.value);
  const cells = value.cells.map((cell, index) =>
    asCell(cell, { text, path, number: index + 1, span: spans[index] as Span }),
  );
  const minor = typeof value.nbformat_minor === 'number' ? value.nbformat_minor : 0;
  return { path, text, minor, root, list, cells };
}

/**
 * The cell with an id or a number. A text is an id first; digits that are no id are a number.
 *
 * @throws {EditError} `not-found` when there is none, `conflict` when several cells have the id
 */
export function findCell({ cells, path }: Notebook, wanted: number | string): Cell {
  const named = cells.filter(({ id }) => id === wanted);
  if (named.length > 1) {
    const numbers = named.map(({ number }) => number).join(', ');
    const message = `cells ${numbers} of ${path} all have the id "${wanted}"; say which by number`;
    throw new EditError('conflict', message);
  }
  if (named[0] !== undefined) return named[0];
  const isNumber = typeof wanted === 'number' || /^\d{1,9}$/.test(wanted);
  const cell = isNumber ? cells[Number(wanted) - 1] : undefined;
  if (cell !== undefined) return cell;
  const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
  const missing = isNumber ? `no cell ${wanted}` : `none with the id "${wanted}"`;
  throw new EditError('not-found', `${path} has ${count}, and ${missing}; file.cells lists them`);
}

function asCell(
  cell: unknown,
  at: { text: string; path: string; number: number; span: Span },
): Cell {
  const { text, path, number, span } = at;
  if (!isObject(cell) || typeof cell.cell_type !== 'string') {
    throw none(path, `its cell ${number} has no cell_type`);
  }
  const source = Array.isArray(cell.source) ? cell.source : [cell.source];
  if (!source.every((line) => typeof line === 'string')) {
    throw none(path, `the source of its cell ${number} is not text`);
  }
  return {
    number,
    ...(typeof cell.id === 'string' ? { id: cell.id } : {}),
    type: cell.cell_type,
    source: source.join(''),
    outputs: Array.isArray(cell.outputs) ? cell.outputs.length : 0,
    span,
    members: memberSpans(text, span),
  };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw none(path, 'it is not JSON');
  }
}

function none(path: string, why: string): EditError {
  return new EditError('invalid-input', `${path} is not a notebook that can be read: ${why}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
