import { isObject } from '../../contracts/tool.ts';
import { gridText, maxMeasured } from './columns.ts';
import { escapeLine, escapeTerminal } from './escape.ts';
import {
  fieldNames,
  fieldSchema,
  isBytes,
  isMap,
  isTuple,
  isVariant,
  itemSchema,
  type SchemaAt,
  schemaAt,
  schemaFor,
  titleOf,
  type ValueSchema,
} from './value-schema.ts';

type Shape = Record<string, unknown>;

/** How a terminal shows the names of fields, and texts of several lines. */
type TextStyle = { head(text: string): string; text(text: string): string };

type Layout = { columns: number; style: TextStyle; depth: number };

const plain: TextStyle = { head: (text) => text, text: escapeTerminal };

/** Rows with more different fields are no table. */
const maxFields = 32;
/** Objects in objects that have lines of their own; what is deeper is JSON. */
const maxDepth = 3;

/**
 * A value for a person: a list of objects as a table, any other list as lines, an object as
 * `name: value`. Nothing in it is obeyed by a terminal but what `style` adds.
 *
 * @param columns that a line may take
 * @param options.schema of the value: the order and titles of its fields, tables of tuples and of
 *   maps, variants and bytes. What has another form than its schema is shown without it
 */
export function valueText(
  value: unknown,
  columns: number,
  options: { schema?: ValueSchema | undefined; style?: TextStyle } = {},
): string {
  return textOf(value, schemaAt(options.schema), {
    columns,
    style: options.style ?? plain,
    depth: 0,
  });
}

export function isRows(value: unknown): value is Shape[] {
  return Array.isArray(value) && value.every(isObject);
}

function textOf(value: unknown, at: SchemaAt | undefined, layout: Layout): string {
  const found = schemaFor(at, value);
  if (Array.isArray(value)) return listText(value, found, layout);
  if (isObject(value)) return objectText(value, found, layout);
  return typeof value === 'string' && !isBytes(found)
    ? layout.style.text(value)
    : cellOf(value, found);
}

function listText(list: readonly unknown[], at: SchemaAt | undefined, layout: Layout): string {
  const schemas = list.map((each, place) => schemaFor(itemSchema(at, place), each));
  const isPlain = !schemas.some(isVariant);
  if (isPlain && isRows(list)) return tableText(list, schemas, layout);
  if (list.length > 0 && list.every(Array.isArray) && schemas.every(isTuple))
    return tableText(list as unknown[] as Shape[], schemas, layout);
  return list.map((each, place) => cellOf(each, schemas[place])).join('\n');
}

/**
 * One line a row under the names of the fields; those of tuples are places, and have titles or none.
 *
 * @param keys what stands in front of each row
 */
function tableText(
  rows: readonly Shape[],
  schemas: readonly (SchemaAt | undefined)[],
  { columns, style }: Layout,
  keys?: { head: string; of: readonly string[] },
): string {
  const measured = rows.slice(0, maxMeasured);
  const given = new Set(measured.flatMap((row) => Object.keys(row)));
  const ordered = schemas.slice(0, maxMeasured).flatMap(fieldNames);
  const names = [...new Set([...ordered.filter((name) => given.has(name)), ...given])];
  if (names.length > maxFields) return rows.map((row, at) => cellOf(row, schemas[at])).join('\n');
  const schemaOf = (row: Shape, at: number, name: string) =>
    schemaFor(
      Array.isArray(row) ? itemSchema(schemas[at], Number(name)) : fieldSchema(schemas[at], name),
      row[name],
    );
  const heads = names.map((name) => {
    const titles = measured.map((row, at) => titleOf(schemaOf(row, at, name)));
    return titles.find((title) => title !== undefined) ?? (Array.isArray(rows[0]) ? '' : name);
  });
  const cells = rows.map((row, at) => [
    ...(keys === undefined ? [] : [escapeLine(keys.of[at] ?? '')]),
    ...names.map((name) => cellOf(row[name], schemaOf(row, at, name), name)),
  ]);
  const numbers = names.map((name) =>
    measured.every(
      (row, at) =>
        isNothing(row[name]) ||
        (typeof row[name] === 'number' && schemaOf(row, at, name) !== undefined),
    ),
  );
  return gridText(keys === undefined ? heads : [keys.head, ...heads], cells, {
    numbers: keys === undefined ? numbers : [false, ...numbers],
    columns,
    head: style.head,
  });
}

function objectText(shape: Shape, at: SchemaAt | undefined, layout: Layout): string {
  if (isVariant(at)) {
    const tag = String(shape.tag);
    return shape.value === undefined
      ? escapeLine(tag)
      : namedText(tag, shape.value, fieldSchema(at, 'value'), layout);
  }
  const values = Object.values(shape);
  if (isMap(at) && values.length > 0 && isRows(values)) {
    const schemas = values.map((value) => schemaFor(fieldSchema(at, ''), value));
    return tableText(values, schemas, layout, { head: '', of: Object.keys(shape) });
  }
  const ordered = fieldNames(at).filter((name) => Object.hasOwn(shape, name));
  return [...new Set([...ordered, ...Object.keys(shape)])]
    .map((name) => {
      const field = fieldSchema(at, name);
      const title = titleOf(schemaFor(field, shape[name])) ?? name;
      return namedText(title, shape[name], field, layout);
    })
    .join('\n');
}

/** `name: value`, and what takes several lines below its name. */
function namedText(name: string, value: unknown, at: SchemaAt | undefined, layout: Layout): string {
  const found = schemaFor(at, value);
  const shown = escapeLine(name);
  if (isNothing(value) || (Array.isArray(value) && value.length === 0)) return `${shown}: none`;
  const isLong = typeof value === 'string' && value.includes('\n');
  const isNested = isObject(value) && layout.depth < maxDepth && Object.keys(value).length > 0;
  if (!Array.isArray(value) && !isLong && !isNested) return `${shown}: ${cellOf(value, found)}`;
  const deeper = { ...layout, depth: layout.depth + 1 };
  const text = textOf(isLong ? value.trimEnd() : value, at, deeper);
  const lines = isNested
    ? text
        .split('\n')
        .map((line) => `  ${line}`)
        .join('\n')
    : text;
  return `${layout.style.head(`${shown}:`)}\n${lines}`;
}

function cellOf(value: unknown, at?: SchemaAt, name = ''): string {
  if (isNothing(value)) return '';
  // In git's short form.
  if (name === 'hash') return escapeLine(String(value).slice(0, 10));
  if (typeof value === 'string' && isBytes(at))
    return `${Buffer.byteLength(value, 'base64')} bytes`;
  if (isVariant(at)) {
    const { tag, value: inner } = value as Shape;
    const text = cellOf(inner, schemaFor(fieldSchema(at, 'value'), inner));
    return text === '' ? escapeLine(String(tag)) : `${escapeLine(String(tag))}: ${text}`;
  }
  const isPlainList =
    Array.isArray(value) && at !== undefined && !value.some((each) => typeof each === 'object');
  if (isPlainList) return value.map((each) => cellOf(each)).join(', ');
  return escapeLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
