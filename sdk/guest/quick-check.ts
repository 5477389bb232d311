/** Says that a value is surely valid and would come out of the schema with the same fields. */
export type QuickCheck = (value: unknown) => boolean;

/** What is looked at of a schema, or of an action behind one; valibot's own types hide it. */
type Part = {
  kind: string;
  type: string;
  async?: boolean;
  fallback?: unknown;
  requirement?: unknown;
  entries?: Record<string, Part>;
  item?: Part;
  wrapped?: Part;
  default?: unknown;
  options?: readonly unknown[];
  pipe?: readonly Part[];
};

/**
 * A check for what most calls bring, a fraction of the work of walking the schema; whatever it
 * does not accept is left to the schema, which knows the reason. What it accepts is used as it
 * came, its fields in the order of the caller.
 *
 * @returns undefined where the schema holds anything but objects, arrays, strings, numbers,
 * booleans and their plain bounds
 */
export function quickCheck(schema: unknown): QuickCheck | undefined {
  return ofSchema(schema as Part);
}

function ofSchema(schema: Part): QuickCheck | undefined {
  if (schema.async === true || 'fallback' in schema) return undefined;
  if (schema.pipe === undefined) return ofType(schema);
  const checks: QuickCheck[] = [];
  for (const part of schema.pipe) {
    if (part.kind === 'metadata') continue;
    const check = part.kind === 'schema' ? ofSchema(part) : ofAction(part);
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return all(checks);
}

/** In plain loops, here and below: the engine takes as long for one callback as for ten lines. */
function all(checks: readonly QuickCheck[]): QuickCheck | undefined {
  if (checks.length === 1) return checks[0];
  return (value) => {
    for (let index = 0; index < checks.length; index += 1) {
      if (!(checks[index] as QuickCheck)(value)) return false;
    }
    return true;
  };
}

function ofType(schema: Part): QuickCheck | undefined {
  const { type, entries, item, options } = schema;
  if (type === 'string' || type === 'boolean') return (value) => typeof value === type;
  // JSON holds no NaN.
  if (type === 'number') return (value) => typeof value === 'number';
  if (type === 'picklist') return (value) => options?.includes(value) === true;
  if (type === 'array' && item !== undefined) return ofArray(item);
  return type === 'object' && entries !== undefined ? ofObject(entries) : undefined;
}

function ofArray(item: Part): QuickCheck | undefined {
  const check = ofSchema(item);
  return check && ((value) => Array.isArray(value) && value.every(check));
}

function ofObject(entries: Record<string, Part>): QuickCheck | undefined {
  if (!isPlain(entries)) return undefined;
  const fields: { name: string; isOptional: boolean; check: QuickCheck }[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const isOptional =
      entry.type === 'optional' && entry.pipe === undefined && entry.default === undefined;
    if (isOptional && 'fallback' in entry) return undefined;
    const check = ofSchema(isOptional ? (entry.wrapped as Part) : entry);
    if (check === undefined) return undefined;
    fields.push({ name, isOptional, check });
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (let index = 0; index < fields.length; index += 1) {
      const { name, isOptional, check } = fields[index] as (typeof fields)[number];
      const item = (value as Record<string, unknown>)[name];
      // JSON holds no undefined.
      if (item !== undefined) {
        if (!check(item)) return false;
        found += 1;
      } else if (!isOptional) return false;
    }
    return Object.keys(value).length === found;
  };
}

/** Of its own fields alone, none of which every object has already: a schema looks at these, too. */
function isPlain(entries: object): boolean {
  const above: unknown = Object.getPrototypeOf(entries);
  const isOwn = above === Object.prototype || above === null;
  return isOwn && Object.keys(entries).every((name) => !(name in Object.prototype));
}

function ofAction({ kind, type, requirement }: Part): QuickCheck | undefined {
  if (kind !== 'validation') return undefined;
  if (type === 'integer') return Number.isInteger;
  const bound = requirement as number;
  if (type === 'min_length') return (value) => (value as { length: number }).length >= bound;
  if (type === 'max_length') return (value) => (value as { length: number }).length <= bound;
  if (typeof bound !== 'number') return undefined;
  if (type === 'min_value') return (value) => (value as number) >= bound;
  if (type === 'max_value') return (value) => (value as number) <= bound;
  return undefined;
}
