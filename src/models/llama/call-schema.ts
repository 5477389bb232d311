import type { ModelTool } from '../../contracts/model.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/tool.ts';
import { largest } from '../../lib/numbers.ts';

const maxListItems = 4;
/**
 * Long enough for a path or a pattern. Longer strings are rare, and small models write them badly.
 */
const maxStringChars = 160;
/** Optional properties are dropped before strings get shorter than this. */
const usefulStringChars = 48;
const minStringChars = 8;

/** A number: sign, 16 digits, point, 16 digits, exponent with sign and 16 digits. */
const numberChars = 53;
/** The grammar ends with four line ends. */
const endChars = 4;

/**
 * White space that the grammar allows between two tokens of JSON: a line end and four spaces a
 * level.
 */
function spaceChars(level: number): number {
  return 1 + 4 * level;
}

/** The longest text that a schema allows, in characters, white space included. */
export function maxCallChars(schema: GrammarSchema, level = 0): number {
  if ('const' in schema) return JSON.stringify(schema.const).length;
  if ('enum' in schema) return largest(schema.enum.map((v) => JSON.stringify(v).length));
  if ('oneOf' in schema) return largest(schema.oneOf.map((one) => maxCallChars(one, level)));
  const brackets = 2 + spaceChars(level + 1) + spaceChars(level);
  const comma = 1 + spaceChars(level + 1);
  switch (schema.type) {
    case 'string':
      return 'maxLength' in schema ? schema.maxLength + 2 : 40;
    case 'array':
      return brackets + schema.maxItems * (comma + maxCallChars(schema.items, level + 1));
    case 'object':
      return Object.entries(schema.properties).reduce(
        (sum, [key, value]) =>
          sum + comma + JSON.stringify(key).length + 2 + maxCallChars(value, level + 1),
        brackets,
      );
    case 'boolean':
    case 'null':
      return 5;
    default:
      return numberChars;
  }
}

type Room = { maxStringChars: number; maxItems: number; keepOptional: boolean };

/** From roomy to tight: shorter strings, then only what is required, then shorter lists. */
function* rooms(): Generator<Room, void, undefined> {
  for (const [keepOptional, maxItems, least] of [
    [true, maxListItems, usefulStringChars],
    [false, maxListItems, usefulStringChars],
    [false, 1, minStringChars],
  ] as const) {
    for (let chars = maxStringChars; chars >= least; chars = Math.floor(chars * 0.8)) {
      yield { maxStringChars: chars, maxItems, keepOptional };
    }
  }
}

/** Values that a call may have beside any text. */
export type CallValues = {
  /** existing files and folders; a path that must exist is one of them */
  paths: readonly string[];
};

/** More alternatives make a grammar slow: ten thousand take two seconds a call. */
const maxAlternatives = 1_000;

/**
 * The schema of the input of a call, bounded so that the longest has at most `maxOutputTokens`
 * characters: a token is at least one ASCII character, so a call ends before the tokens do (a string
 * of other scripts can take several tokens a character and be cut; then reading it fails).
 *
 * @returns undefined where not even the tightest form fits
 */
export function callSchema(
  tool: ModelTool,
  { maxOutputTokens, values }: { maxOutputTokens: number; values?: CallValues | undefined },
): GrammarSchema | undefined {
  const paths = (values?.paths ?? []).slice(0, maxAlternatives);
  const known = { paths, onlyReads: tool.onlyReads === true };
  for (const room of rooms()) {
    const full = simplifySchema(tool.inputSchema, { ...room, ...known });
    if (maxCallChars(full) + endChars > maxOutputTokens) continue;
    if (!room.keepOptional) return full;
    // The short form stands first: with it, a call may stop after what is required.
    const short = simplifySchema(tool.inputSchema, { ...room, keepOptional: false, ...known });
    return { oneOf: [short, full] };
  }
  return undefined;
}

/** The required part of a tool's input, as the model reads it. */
export function shownParams(tool: ModelTool): GrammarSchema | undefined {
  const shown = simplifySchema(tool.inputSchema, {
    ...{ maxStringChars, maxItems: maxListItems, keepOptional: false },
  });
  if (!('type' in shown) || shown.type !== 'object') return undefined;
  return Object.keys(shown.properties).length === 0 ? undefined : shown;
}

/** The part of JSON Schema that a grammar can be made of, all of it bounded. */
export type GrammarSchema =
  | { const: string | number | boolean | null }
  | { enum: (string | number | boolean | null)[] }
  | { oneOf: GrammarSchema[] }
  | { type: 'string'; minLength?: number; maxLength: number }
  | { type: 'string'; format: 'date' | 'time' | 'date-time' }
  | { type: 'number' | 'integer' | 'boolean' | 'null' }
  | { type: 'array'; items: GrammarSchema; minItems: number; maxItems: number }
  | { type: 'object'; properties: { [key: string]: GrammarSchema } };

export type SimplifyLimits = {
  /** longest string, in characters */
  maxStringChars: number;
  maxItems: number;
  /** true: a property that is not required may be null; false: it is left out */
  keepOptional: boolean;
  /** the allowed values of a path; any text when empty or absent */
  paths?: readonly string[];
  /** false: the tool may make new paths, so only paths that must exist are restricted */
  onlyReads?: boolean;
};

/** Deeper values become null: a small model loses itself there, and the grammar grows. */
const maxDepth = 6;
/** Integers of a range up to this many values are spelled out. */
const maxEnumeratedIntegers = 16;

type Scope = { root: JsonObject; limits: SimplifyLimits; depth: number };

function isScalar(value: Json): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

/** `#/$defs/name` and the like, within the schema itself. */
function resolveRef(ref: string, root: JsonObject): JsonObject | undefined {
  if (!ref.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isObject(at) ? at : undefined;
}

/** `allOf` as one schema: properties and required of all, later keywords win. */
function mergeAll(schema: JsonObject, scope: Scope): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  let merged: JsonObject = own;
  for (const part of allOf) {
    if (!isObject(part)) continue;
    const target = typeof part.$ref === 'string' ? (resolveRef(part.$ref, scope.root) ?? {}) : part;
    const properties = {
      ...(isObject(merged.properties) ? merged.properties : {}),
      ...(isObject(target.properties) ? target.properties : {}),
    };
    const required = [...listOf(merged.required), ...listOf(target.required)];
    merged = { ...merged, ...target, properties, required };
  }
  return merged;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function simplifyString(schema: JsonObject, limits: SimplifyLimits): GrammarSchema {
  const { format } = schema;
  if (format === 'date' || format === 'time' || format === 'date-time') {
    return { type: 'string', format };
  }
  const max = Math.max(1, Math.min(numberOf(schema.maxLength) ?? Infinity, limits.maxStringChars));
  const min = Math.min(Math.max(0, numberOf(schema.minLength) ?? 0), max);
  return min === 0
    ? { type: 'string', maxLength: max }
    : { type: 'string', minLength: min, maxLength: max };
}

function simplifyInteger(schema: JsonObject): GrammarSchema {
  const low = numberOf(schema.minimum);
  const high = numberOf(schema.maximum);
  if (
    low === undefined ||
    high === undefined ||
    high < low ||
    high - low >= maxEnumeratedIntegers
  ) {
    return { type: 'integer' };
  }
  const first = Math.ceil(low);
  const values = Array.from({ length: Math.floor(high) - first + 1 }, (_, i) => first + i);
  return values.length === 0 ? { type: 'integer' } : { enum: values };
}

function simplifyArray(schema: JsonObject, scope: Scope): GrammarSchema {
  const max = Math.min(numberOf(schema.maxItems) ?? Infinity, scope.limits.maxItems);
  const min = Math.min(Math.max(0, numberOf(schema.minItems) ?? 0), Math.max(0, max));
  const items = simplify(isObject(schema.items) ? schema.items : {}, scope);
  return { type: 'array', items, minItems: min, maxItems: Math.max(min, max) };
}

function simplifyObject(schema: JsonObject, scope: Scope): GrammarSchema {
  const required = new Set(listOf(schema.required));
  const properties: { [key: string]: GrammarSchema } = {};
  for (const [key, value] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const one = isObject(value) ? value : {};
    const simple = isKnownPath(key, one, scope) ? pathsOf(one, scope) : simplify(one, scope);
    if (required.has(key)) properties[key] = simple;
    else if (scope.limits.keepOptional) properties[key] = orNull(simple);
  }
  return { type: 'object', properties };
}

/** Names of tools for a path, and their words for one. */
const pathName = /^(?:path|paths|file|files|folder|folders|dir|directory|cwd)$/i;
const pathWords = /\b(?:relative to|below) the workspace\b|\broot:relative\b/i;
const existing = /\bexisting\b/i;

function isKnownPath(key: string, { description }: JsonObject, { limits }: Scope): boolean {
  const words = typeof description === 'string' ? description : '';
  if (!pathName.test(key) && !pathWords.test(words)) return false;
  return limits.onlyReads === true || existing.test(words);
}

/** A path, or a list of paths: one of the existing paths that are short enough. */
function pathsOf(schema: JsonObject, scope: Scope): GrammarSchema {
  const plain = simplify(schema, scope);
  const { paths = [], maxStringChars } = scope.limits;
  const fitting = paths.filter(({ length }) => length <= maxStringChars);
  if (fitting.length === 0) return plain;
  const one: GrammarSchema = { enum: fitting };
  if (!('type' in plain)) return plain;
  if (plain.type === 'string') return one;
  if (plain.type !== 'array' || !('type' in plain.items) || plain.items.type !== 'string')
    return plain;
  return { ...plain, items: one };
}

function orNull(schema: GrammarSchema): GrammarSchema {
  return { oneOf: [schema, { type: 'null' }] };
}

function simplifyTyped(type: string, schema: JsonObject, scope: Scope): GrammarSchema {
  switch (type) {
    case 'object':
      return simplifyObject(schema, scope);
    case 'array':
      return simplifyArray(schema, scope);
    case 'integer':
      return simplifyInteger(schema);
    case 'number':
    case 'boolean':
    case 'null':
      return { type };
    default:
      return simplifyString(schema, scope.limits);
  }
}

/** The types of a schema. Without `type` its other keywords tell them; the default is string. */
function typesOf(schema: JsonObject): string[] {
  if (typeof schema.type === 'string') return [schema.type];
  const listed = listOf(schema.type).filter((type) => typeof type === 'string');
  if (listed.length > 0) return listed;
  if (isObject(schema.properties)) return ['object'];
  if (isObject(schema.items)) return ['array'];
  return ['string'];
}

function oneOf(choices: GrammarSchema[]): GrammarSchema {
  const [only] = choices;
  return choices.length === 1 && only !== undefined ? only : { oneOf: choices };
}

function simplify(given: JsonObject, outer: Scope): GrammarSchema {
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > maxDepth) return { type: 'null' };
  if (typeof given.$ref === 'string') {
    return simplify(resolveRef(given.$ref, scope.root) ?? {}, scope);
  }
  const schema = mergeAll(given, scope);
  if (schema.const !== undefined && isScalar(schema.const)) return { const: schema.const };
  const listed = listOf(schema.enum).filter(isScalar);
  if (listed.length > 0) return { enum: listed };
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter(isObject);
  if (choices.length > 0) return oneOf(choices.map((choice) => simplify(choice, scope)));
  return oneOf(typesOf(schema).map((type) => simplifyTyped(type, schema, scope)));
}

/**
 * A JSON Schema in a form that a grammar can hold a model to, with every length bounded so that
 * generation ends. Keywords that a grammar cannot express are left to the tool's own check:
 * patterns, formats but dates, number ranges above 16 values, `not`, `if`, uniqueness,
 * dependencies. References are put in place, recursion ends in null after six levels,
 * `additionalProperties` are not offered, and properties that are not required are null or gone.
 * Pure.
 */
export function simplifySchema(schema: JsonObject, limits: SimplifyLimits): GrammarSchema {
  return simplify(schema, { root: schema, limits, depth: 0 });
}
