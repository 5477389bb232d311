import { KernelError } from '../../contracts/error.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../text/parse-json.ts';
import { checkInput } from './check-input.ts';

/** Deeper parts are left as they are. */
const maxDepth = 32;

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
