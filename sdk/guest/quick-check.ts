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
  const [only] = checks;
  return checks.length === 1 ? only : (value) => checks.every((check) => check(value));
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
  const checks = new Map<string, QuickCheck>();
  const needed = new Set<string>();
  for (const [name, entry] of Object.entries(entries)) {
    const isOptional =
      entry.type === 'optional' && entry.pipe === undefined && entry.default === undefined;
    if (isOptional && 'fallback' in entry) return undefined;
    const check = ofSchema(isOptional ? (entry.wrapped as Part) : entry);
    if (check === undefined) return undefined;
    checks.set(name, check);
    if (!isOptional) needed.add(name);
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const name of Object.keys(value)) {
      if (checks.get(name)?.((value as Record<string, unknown>)[name]) !== true) return false;
      if (needed.has(name)) found += 1;
    }
    return found === needed.size;
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
  const sizeOf = (value: unknown) => (value as string | readonly unknown[]).length;
  if (type === 'min_length') return (value) => sizeOf(value) >= bound;
  if (type === 'max_length') return (value) => sizeOf(value) <= bound;
  if (typeof bound !== 'number') return undefined;
  if (type === 'min_value') return (value) => (value as number) >= bound;
  if (type === 'max_value') return (value) => (value as number) <= bound;
  return undefined;
}
