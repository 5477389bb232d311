import { readFileSync } from 'node:fs';
import { KernelError, reasonOf } from '../contracts/error.ts';
import { inputTooLarge, isObject, type JsonObject, maxInputBytes } from '../contracts/tool.ts';
import { readAll } from '../lib/files/read-file.ts';
import {
  addField,
  FieldError,
  type Fields,
  fieldWord,
  parseExactJson,
} from '../lib/text/parse-json.ts';

/** JSON may write one character as six, so that a text of this size can still be within the limit. */
const maxTextBytes = maxInputBytes * 6;

/**
 * The input of a tool from the words behind its name: one JSON object, `@FILE` or `-` that hold one,
 * fields as `key=value`, or one text for a tool that requires nothing but a text. A field may be
 * repeated for a list; its value may be `@FILE` or `-`, and `@@` stands for a value that begins with
 * `@`.
 *
 * @param schemaOf gives the JSON Schema of the input, for the types of fields
 * @throws {KernelError} `invalid-argument`, `not-found` for a file
 */
export async function readInput(
  tool: string,
  words: readonly string[],
  schemaOf: () => Promise<JsonObject | undefined>,
): Promise<JsonObject> {
  const [first = '{}', ...more] = words;
  const pairs = words.map((word) => fieldWord.exec(word));
  if (words.length > 0 && pairs.every((each) => each !== null))
    return fieldsOf(tool, pairs, await schemaOf());
  if (more.length === 0) {
    if (first === '-' || first.startsWith('@')) return parseObject(tool, await textAt(tool, first));
    const field = /^\s*[{[]/.test(first) ? undefined : onlyText(await schemaOf());
    return field === undefined ? parseObject(tool, first) : { [field]: first };
  }
  const wrong = words.find((word) => !fieldWord.test(word)) ?? first;
  throw new KernelError('invalid-argument', `"${wrong}" is not of the form key=value`, {
    hint: fieldsHint(tool),
  });
}

/** The field of a tool that requires one text and nothing else. */
function onlyText(schema: JsonObject | undefined): string | undefined {
  const { required, properties } = schema ?? {};
  const [field, ...more] = Array.isArray(required) ? required : [];
  if (typeof field !== 'string' || more.length > 0) return undefined;
  const form = (properties as Record<string, JsonObject> | undefined)?.[field];
  return form?.type === 'string' ? field : undefined;
}

async function fieldsOf(
  tool: string,
  pairs: readonly RegExpExecArray[],
  schema: JsonObject | undefined,
): Promise<JsonObject> {
  const fields: Fields = new Map();
  for (const [word, key = '', written = ''] of pairs) {
    const isFile = written === '-' || (written.startsWith('@') && !written.startsWith('@@'));
    const text = isFile ? await textAt(tool, written) : written.replace(/^@@/, '@');
    try {
      addField(fields, key, text, schema);
    } catch (thrown) {
      if (!(thrown instanceof FieldError)) throw thrown;
      throw new KernelError('invalid-argument', `"${word}": ${thrown.message}`, {
        cause: thrown,
        hint: `See what it takes with: cuervo tools ${tool}`,
      });
    }
  }
  return Object.fromEntries(fields) as JsonObject;
}

/** @param place `-` or `@FILE` */
export async function textAt(tool: string, place: string): Promise<string> {
  const tooLarge = () => inputTooLarge(tool, `more than ${maxTextBytes} bytes`);
  if (place === '-') return (await readAll(process.stdin, maxTextBytes, tooLarge)).toString('utf8');
  const path = place.slice(1);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    throw new KernelError('not-found', `the file "${path}" cannot be read: ${reasonOf(thrown)}`, {
      cause: thrown,
      hint: `For a value that begins with @ write it twice: ${JSON.stringify(`@${place}`)}`,
    });
  }
  if (Buffer.byteLength(text) > maxTextBytes) throw tooLarge();
  return text;
}

function parseObject(tool: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    throw new KernelError('invalid-argument', `the input is not JSON: ${reason}`, {
      cause: thrown,
      hint: fieldsHint(tool),
    });
  }
  if (isObject(value)) return value;
  throw new KernelError('invalid-argument', 'the input is not a JSON object', {
    hint: fieldsHint(tool),
  });
}

function fieldsHint(tool: string): string {
  return `Give fields such as key=value, or one JSON object; see them with: cuervo tools ${tool}`;
}
