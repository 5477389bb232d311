/** A JSON Schema, or what a stranger gave as one: nothing in it is relied on. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** Schemas that are looked at for one value: one may hold itself, or choose among choices. */
const maxLooks = 100;
/** Schemas of a whole result, with their choices and fields; the rest is shown without a schema. */
const maxWork = 4_000_000;

/** A schema beside the one that holds its `$defs`, and how much may still be looked at. */
export type SchemaAt = { schema: ValueSchema; root: ValueSchema; work: { left: number } };

export function schemaAt(schema: ValueSchema | undefined): SchemaAt | undefined {
  return schema === undefined ? undefined : { schema, root: schema, work: { left: maxWork } };
}

/**
 * The part of a schema that says how a value looks: references are followed, and of several choices
 * the first one that the value has the form of is taken. A value that has none has no schema.
 */
export function schemaFor(at: SchemaAt | undefined, value: unknown): SchemaAt | undefined {
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
export function fieldSchema(at: SchemaAt | undefined, name: string): SchemaAt | undefined {
  if (at === undefined) return undefined;
  const properties = objectIn(at.schema.properties) ?? {};
  const named = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return childAt(at, named ?? at.schema.additionalProperties);
}

/** The schema of an item of a list; of a tuple that of one place. */
export function itemSchema(at: SchemaAt | undefined, place = 0): SchemaAt | undefined {
  if (at === undefined) return undefined;
  const { prefixItems, items } = at.schema;
  const placed = Array.isArray(prefixItems) ? prefixItems[place] : undefined;
  return childAt(at, placed ?? items);
}

export function fieldNames(at: SchemaAt | undefined): string[] {
  return Object.keys(objectIn(at?.schema.properties) ?? {});
}

/** The title that a person reads in place of the name. */
export function titleOf(at: SchemaAt | undefined): string | undefined {
  const title = at?.schema.title;
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}

/** Whether the keys of an object are values, too: `{"README.md": 12, "LICENSE": 201}`. */
export function isMap(at: SchemaAt | undefined): boolean {
  return objectIn(at?.schema.additionalProperties) !== undefined && fieldNames(at).length === 0;
}

export function isTuple(at: SchemaAt | undefined): boolean {
  return Array.isArray(at?.schema.prefixItems);
}

/** A variant of WIT, as functions give it: `{"tag": "circle", "value": 2}`. */
export function isVariant(at: SchemaAt | undefined): boolean {
  const tag = objectIn(objectIn(at?.schema.properties)?.tag);
  return tag !== undefined && 'const' in tag && at?.schema.additionalProperties === false;
}

/** Bytes as base64, which says nothing to a person. */
export function isBytes(at: SchemaAt | undefined): boolean {
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
