import { KernelError } from '../contracts/error.ts';
import { isObject, type Json, type JsonObject } from '../contracts/tool.ts';
import { parseExactJson } from './text/parse-json.ts';

/** Deeper parts of a schema are the guest's to check. */
const maxDepth = 32;
/** Faults that are named at once. */
const maxReasons = 5;
/** Choices of a value that are named. */
const maxNames = 50;

/**
 * Checks the input of a call against the schema that the tool described, so that what cannot be
 * right is refused before anything of the plugin runs. Known are types, fields, numbers of items
 * and characters, bounds and choices; what else a schema says (patterns, references, conditions) is
 * the guest's to check: an expression of a plugin is not run here.
 *
 * @param tool in full, as `file.read`
 * @throws {KernelError} `invalid-argument` naming the field, what it is and what it has to be
 */
export function checkInput(tool: string, schema: JsonObject, input: JsonObject): void {
  const reasons: string[] = [];
  let count = 0;
  check(schema, input, '', 0, (path, reason) => {
    count += 1;
    if (count > maxReasons) return;
    const place = path === '' ? '' : `${path}: `;
    reasons.push(`${place}${reason(tool.split('.').at(-1) ?? tool)}`);
  });
  if (count === 0) return;
  const more = count > maxReasons ? `; and ${count - maxReasons} more` : '';
  const text = `${tool}: ${reasons.join('; ')}${more}`;
  throw new KernelError('invalid-argument', text, {
    hint: `See what it takes with: cuervo tools ${tool}`,
  });
}

type Report = (path: string, reason: (tool: string) => string) => void;

function check(schema: Json, value: Json, path: string, depth: number, report: Report): void {
  if (!isObject(schema) || depth > maxDepth) return;
  const { type } = schema;
  const types = [type].flat().filter((each) => typeof each === 'string');
  if (types.length > 0 && !types.some((each) => isOfType(value, each))) {
    report(
      path,
      () => `has to be ${types.map(named).join(' or ')}, and is ${named(typeOf(value))}`,
    );
    return;
  }
  if ('enum' in schema || 'const' in schema) checkChoices(schema, value, path, report);
  if (typeof value === 'number') checkBounds(schema, value, 'minimum', 'maximum', '', path, report);
  if (typeof value === 'string')
    checkBounds(schema, [...value].length, 'minLength', 'maxLength', ' characters', path, report);
  if (Array.isArray(value)) {
    checkBounds(schema, value.length, 'minItems', 'maxItems', ' items', path, report);
    const { items } = schema;
    if (isObject(items))
      for (const [at, item] of value.entries())
        check(items, item, `${path}[${at}]`, depth + 1, report);
  } else if (isObject(value)) checkFields(schema, value, path, depth, report);
}

/** The JSON of each choice of a schema: a list may hold thousands of values that it names. */
const choicesOf = new WeakMap<JsonObject, ReadonlySet<string>>();

function checkChoices(schema: JsonObject, value: Json, path: string, report: Report): void {
  const choices = choicesOf.get(schema) ?? readChoices(schema);
  choicesOf.set(schema, choices);
  if (choices.size > 0 && !choices.has(JSON.stringify(value)))
    report(path, () => `has to be one of ${listed([...choices])}`);
}

function readChoices(schema: JsonObject): ReadonlySet<string> {
  const given = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  return new Set(given.map((each) => JSON.stringify(each)));
}

function listed(names: readonly string[]): string {
  const more = names.length > maxNames ? `, … and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).join(', ')}${more}`;
}

function checkFields(
  schema: JsonObject,
  value: JsonObject,
  path: string,
  depth: number,
  report: Report,
): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      report(at(name), () => 'is missing');
  }
  for (const name of Object.keys(value)) {
    const item = value[name] as Json;
    if (Object.hasOwn(properties, name)) {
      check(properties[name] as Json, item, at(name), depth + 1, report);
    } else if (schema.additionalProperties === false && !('patternProperties' in schema)) {
      report(path, (tool) => {
        const taken = listed(Object.keys(properties)) || 'none';
        return `unknown field "${name}"; ${path === '' ? tool : path} takes ${taken}`;
      });
    } else if (isObject(schema.additionalProperties)) {
      check(schema.additionalProperties, item, at(name), depth + 1, report);
    }
  }
}

function checkBounds(
  schema: JsonObject,
  size: number,
  least: string,
  most: string,
  unit: string,
  path: string,
  report: Report,
): void {
  const { [least]: min, [most]: max } = schema;
  const has = unit === '' ? 'is' : 'has';
  if (typeof min === 'number' && size < min)
    report(path, () => `${has} ${size}${unit}, at least ${min}`);
  if (typeof max === 'number' && size > max)
    report(path, () => `${has} ${size}${unit}, at most ${max}`);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function isOfType(value: Json, type: string): boolean {
  const own = typeOf(value);
  if (type !== 'integer') return own === type;
  return own === 'number' && (typeof value !== 'number' || Number.isInteger(value));
}

function named(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Deeper parts are left as they are. */

export type FittedInput = {
  input: JsonObject;
  /** what was wrong with the input as it was given */
  wrong?: string;
  fits: boolean;
};

/**
 * The input of a call as its tool takes it. Models write a number or a list as text, null for what
 * they leave out, and one value in the place of a list: one repair by the schema, which counts only
 * if all fits then. Otherwise the input stays as it was given.
 *
 * @param tool in full, as `file.read`
 */
export function fitInput(tool: string, schema: JsonObject, input: JsonObject): FittedInput {
  const wrong = whyRefusedInput(tool, schema, input);
  if (wrong === undefined) return { input, fits: true };
  const repaired = repair(schema, input, 0) as JsonObject;
  if (whyRefusedInput(tool, schema, repaired) !== undefined) return { input, wrong, fits: false };
  return { input: repaired, wrong, fits: true };
}

function repair(schema: Json | undefined, value: Json, depth: number): Json {
  if (!isObject(schema) || depth > maxDepth) return value;
  const types = [schema.type].flat();
  const isOf = (type: string): boolean => types.includes(type);
  if (Array.isArray(value)) return value.map((item) => repair(schema.items, item, depth + 1));
  if (isObject(value) && !(isOf('array') && !isOf('object'))) {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) => {
        const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
        const isLeftOut = item === null && !required.includes(name) && !takesNull(own);
        return isLeftOut ? [] : [[name, repair(own, item, depth + 1)]];
      }),
    );
  }
  if (typeof value === 'string' && !isOf('string')) {
    const read = readAs(value.trim(), isOf);
    if (read !== undefined) return repair(schema, read, depth + 1);
  }
  return isOf('array') && value !== null ? [repair(schema.items, value, depth + 1)] : value;
}

function takesNull(schema: Json | undefined): boolean {
  return isObject(schema) && [schema.type].flat().includes('null');
}

/** The value that a text stands for, if the schema wants such a value. */
function readAs(text: string, isOf: (type: string) => boolean): Json | undefined {
  if (isOf('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  // An integer that is too large would become another one.
  const isExact = !/^-?\d+$/.test(text) || Number.isSafeInteger(Number(text));
  if ((isOf('integer') || isOf('number')) && isNumber && isExact) return Number(text);
  if (!(isOf('object') && text.startsWith('{')) && !(isOf('array') && text.startsWith('['))) {
    return undefined;
  }
  try {
    return parseExactJson(text) as Json;
  } catch {
    return undefined;
  }
}

/** Why the host would not call a tool with an input; undefined where it would. */
export function whyRefusedInput(
  tool: string,
  schema: JsonObject,
  input: JsonObject,
): string | undefined {
  try {
    checkInput(tool, schema, input);
    return undefined;
  } catch (thrown) {
    return KernelError.from(thrown, 'internal').message;
  }
}

/**
 * The one of some names that a model means: `file_read`, `functions.file__read` and `file.read()`
 * are `file.read`, where no other name could be meant.
 */
export function likelyName(given: string, names: readonly string[]): string | undefined {
  if (names.includes(given)) return given;
  const form = formOf(given);
  const only = (found: string[]) => (found.length === 1 ? found[0] : undefined);
  return (
    only(names.filter((name) => formOf(name) === form)) ??
    only(names.filter((name) => form.endsWith(`_${formOf(name)}`)))
  );
}

/** The words of a name alone, without what a template left behind it. */
function formOf(name: string): string {
  return name
    .replace(/<\|.*$|:\d+$/s, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
    .join('_');
}
