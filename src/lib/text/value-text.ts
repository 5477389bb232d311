import { isObject } from '../../contracts/tool.ts';
import { gridText, maxMeasured } from './columns.ts';
import { escapeLine, escapeTerminal } from './escape.ts';

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

/** A JSON Schema, or what a stranger gave as one: nothing in it is relied on. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** Schemas that are looked at for one value: one may hold itself, or choose among choices. */
const maxLooks = 100;
/** Schemas of a whole result, with their choices and fields; the rest is shown without a schema. */
const maxWork = 4_000_000;

/** A schema beside the one that holds its `$defs`, and how much may still be looked at. */
export type SchemaAt = { schema: ValueSchema; root: ValueSchema; work: { left: number } };

function schemaAt(schema: ValueSchema | undefined): SchemaAt | undefined {
  return schema === undefined ? undefined : { schema, root: schema, work: { left: maxWork } };
}

/**
 * The part of a schema that says how a value looks: references are followed, and of several choices
 * the first one that the value has the form of is taken. A value that has none has no schema.
 */
function schemaFor(at: SchemaAt | undefined, value: unknown): SchemaAt | undefined {
  return at === undefined ? undefined : chosenFor(at, value, { left: maxLooks });
}

function chosenFor(at: SchemaAt, value: unknown, looks: { left: number }): SchemaAt | undefined {
  const { schema, root, work } = at;
  if (looks.left <= 0 || work.left <= 0) return undefined;
  looks.left -= 1;
  work.left -= sizeOf(schema);
  const { $ref: reference, anyOf, oneOf } = schema;
  if (typeof reference === 'string') {
    const found = childAt(at, definition(root, reference));
    return found === undefined ? undefined : chosenFor(found, value, looks);
  }
  const choices = Array.isArray(anyOf) ? anyOf : oneOf;
  if (!Array.isArray(choices)) return hasForm(schema, value) ? at : undefined;
  for (const choice of choices) {
    const found = childAt(at, choice);
    const chosen = found === undefined ? undefined : chosenFor(found, value, looks);
    if (chosen !== undefined || looks.left <= 0) return chosen;
  }
  return undefined;
}

/** The schema of one field of an object, or of every field that has no name of its own. */
function fieldSchema(at: SchemaAt | undefined, name: string): SchemaAt | undefined {
  if (at === undefined) return undefined;
  const properties = objectIn(at.schema.properties) ?? {};
  const named = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return childAt(at, named ?? at.schema.additionalProperties);
}

/** The schema of an item of a list; of a tuple that of one place. */
function itemSchema(at: SchemaAt | undefined, place = 0): SchemaAt | undefined {
  if (at === undefined) return undefined;
  const { prefixItems, items } = at.schema;
  const placed = Array.isArray(prefixItems) ? prefixItems[place] : undefined;
  return childAt(at, placed ?? items);
}

function fieldNames(at: SchemaAt | undefined): string[] {
  return Object.keys(objectIn(at?.schema.properties) ?? {});
}

/** The title that a person reads in place of the name. */
function titleOf(at: SchemaAt | undefined): string | undefined {
  const title = at?.schema.title;
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}

/** Whether the keys of an object are values, too: `{"README.md": 12, "LICENSE": 201}`. */
function isMap(at: SchemaAt | undefined): boolean {
  return objectIn(at?.schema.additionalProperties) !== undefined && fieldNames(at).length === 0;
}

function isTuple(at: SchemaAt | undefined): boolean {
  return Array.isArray(at?.schema.prefixItems);
}

/** A variant of WIT, as functions give it: `{"tag": "circle", "value": 2}`. */
function isVariant(at: SchemaAt | undefined): boolean {
  const tag = objectIn(objectIn(at?.schema.properties)?.tag);
  return tag !== undefined && 'const' in tag && at?.schema.additionalProperties === false;
}

/** Bytes as base64, which says nothing to a person. */
function isBytes(at: SchemaAt | undefined): boolean {
  return at?.schema.contentEncoding === 'base64';
}

function hasForm(schema: ValueSchema, value: unknown): boolean {
  if ('const' in schema) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (schema.type !== undefined && !types.some((type) => isOfType(type, value))) return false;
  return hasFields(schema, value);
}

/** Whether a variant fits: its required fields are there, and fields of one value have it. */
function hasFields({ required, properties }: ValueSchema, value: unknown): boolean {
  const object = objectIn(value);
  if (object === undefined) return true;
  const names = Array.isArray(required) ? required : [];
  if (names.some((name) => typeof name === 'string' && !Object.hasOwn(object, name))) return false;
  return Object.entries(objectIn(properties) ?? {}).every(([name, schema]) => {
    const field = objectIn(schema);
    return field === undefined || !('const' in field) || field.const === object[name];
  });
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return objectIn(value) !== undefined;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function definition(root: ValueSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const object = objectIn(found);
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (object === undefined || !Object.hasOwn(object, name)) return undefined;
    found = object[name];
  }
  return found;
}

function childAt({ root, work }: SchemaAt, schema: unknown): SchemaAt | undefined {
  const object = objectIn(schema);
  return object === undefined ? undefined : { schema: object, root, work };
}

/** The work of comparing a value with it and of following its reference. */
function sizeOf({ $ref: reference, enum: values, required, properties }: ValueSchema): number {
  const lists = [values, required].map((list) => (Array.isArray(list) ? list.length : 0));
  const text = typeof reference === 'string' ? reference.length : 0;
  const fields = Object.keys(objectIn(properties) ?? {}).length;
  return lists.reduce((sum, length) => sum + length, 1 + text + fields);
}

function objectIn(value: unknown): ValueSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as ValueSchema)
    : undefined;
}
