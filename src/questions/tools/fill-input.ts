import type { Mentions } from '../../contracts/intent.ts';
import type { JsonObject, Tool } from '../../contracts/tool.ts';
import { pathsIn, quotedIn } from '../../lib/text/words.ts';
import { choicesFor, numbersFor, numbersIn } from './said-values.ts';

/**
 * Input of a tool from the names in a question, by the names and types in its schema and the shape
 * of its examples. No two fields take the same piece of the question. Of optional fields only
 * paths, choices and words of an example's shape are filled: no other is plain enough.
 *
 * @returns undefined when something required is not in the question
 */
export function fillInput(tool: Tool, mentions: Mentions): JsonObject | undefined {
  if (missingInput(tool, mentions).length > 0) return undefined;
  const input: JsonObject = {};
  for (const [field, schema] of Object.entries(propertiesOf(tool))) {
    const value = requiredOf(tool).includes(field)
      ? valueFor(tool, field, mentions)
      : optionalFor(tool, field, schema, mentions);
    if (value !== undefined) input[field] = value;
  }
  return input;
}

/** Names of what a tool requires and a question does not say. */
export function missingInput(tool: Tool, mentions: Mentions): string[] {
  return requiredOf(tool).filter((field) => valueFor(tool, field, mentions) === undefined);
}

/** Whether a required field is filled by what is written as its example, or by a number. */
export function isWrittenOut(tool: Tool, mentions: Mentions): boolean {
  return requiredOf(tool).some((field) => {
    const kind = kindOf(tool, field);
    return (
      (kind === 'number' || (kind === 'text' && shapeIn(tool, field) !== undefined)) &&
      valueFor(tool, field, mentions) !== undefined
    );
  });
}

/** A field with its example, as a person types it. */
export function shownField(tool: Tool, field: string): string {
  const shown = tool.examples.map((each) => each[field]).find((value) => value !== undefined);
  const isShort =
    typeof shown === 'number' || (typeof shown === 'string' && /^\S{1,30}$/.test(shown));
  return isShort ? `${field} (as ${shown})` : field;
}

type Value = string | number | string[] | undefined;

function optionalFor(tool: Tool, field: string, schema: JsonObject, mentions: Mentions): Value {
  const kind = kindOf(tool, field);
  if (kind === 'path' || kind === 'paths' || Array.isArray(schema.enum))
    return valueFor(tool, field, mentions);
  const shape = kind === 'text' ? shapeIn(tool, field) : undefined;
  if (shape === undefined) return undefined;
  // One date does not say whether it is the first day or the last.
  const alike = fieldsOf(tool).filter((name) => shapeIn(tool, name) === shape);
  return alike.length <= wordsLike(shape, mentions.text).length
    ? likeExample(tool, field, mentions.text)
    : undefined;
}

function propertiesOf(tool: Tool): Record<string, JsonObject> {
  return (tool.inputSchema.properties ?? {}) as Record<string, JsonObject>;
}

function requiredOf(tool: Tool): readonly string[] {
  return (tool.inputSchema.required ?? []) as string[];
}

/** Those that are required first, in the order of the examples: they take what the question has. */
function fieldsOf(tool: Tool): readonly string[] {
  const shown = tool.examples.flatMap((example) => Object.keys(example));
  const all = [...shown, ...Object.keys(propertiesOf(tool))];
  const known = [...new Set(all)].filter((field) => Object.hasOwn(propertiesOf(tool), field));
  const required = requiredOf(tool);
  return [
    ...known.filter((field) => required.includes(field)),
    ...known.filter((field) => !required.includes(field)),
  ];
}

type Kind = 'number' | 'choice' | 'url' | 'path' | 'paths' | 'question' | 'text';

function kindOf(tool: Tool, field: string): Kind | undefined {
  const schema = propertiesOf(tool)[field] ?? {};
  const example = exampleOf(tool, field);
  const namesPath = /path|file|folder|dir/i.test(field);
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'array') {
    const isTexts = (schema.items as JsonObject | undefined)?.type === 'string';
    return isTexts && (namesPath || isWrittenAsPath(example)) ? 'paths' : undefined;
  }
  if (schema.type !== 'string') return undefined;
  if (Array.isArray(schema.enum)) return 'choice';
  if (schema.format === 'uri' || /^(?:url|uri|href)$|(?:Url|Uri|URL|URI)$/.test(field))
    return 'url';
  if (namesPath) return 'path';
  if (/question|query|goal/i.test(field)) return 'question';
  if (/^https?:\/\//.test(example ?? '')) return 'url';
  return isWrittenAsPath(example) ? 'path' : 'text';
}

/** `a/b.txt`, and no range of addresses. */
function isWrittenAsPath(example: string | undefined): boolean {
  return example !== undefined && pathsIn(example)[0] === example && /[a-z]/i.test(example);
}

function valueFor(tool: Tool, field: string, mentions: Mentions): Value {
  const kind = kindOf(tool, field);
  const alike = fieldsOf(tool).filter((name) => kindOf(tool, name) === kind);
  const nth = alike.indexOf(field);
  const { url, paths, names, text } = mentions;
  switch (kind) {
    case 'number': {
      const required = alike.filter((name) => requiredOf(tool).includes(name));
      return numbersFor(required.includes(field) ? required : [field], numbersIn(text, paths)).get(
        field,
      );
    }
    case 'choice': {
      const own = choicesOf(tool, field);
      const same = alike.filter((name) => String(choicesOf(tool, name)) === String(own));
      return choicesFor(same, own, text).get(field);
    }
    case 'url':
      return nth === 0 ? url : undefined;
    case 'path':
      return paths[nth];
    case 'paths':
      return paths.length > 0 ? [...paths] : undefined;
    case 'question':
      return text;
    case 'text': {
      const like = likeExample(tool, field, text);
      const texts = alike.filter((name) => requiredOf(tool).includes(name));
      const plain = texts.filter((name) => shapeIn(tool, name) === undefined);
      const place = (texts.length > 1 ? plain : texts).indexOf(field);
      return like ?? quotedIn(text)[place] ?? names[place];
    }
    default:
      return undefined;
  }
}

function choicesOf(tool: Tool, field: string): string[] {
  const { enum: choices } = propertiesOf(tool)[field] ?? {};
  return (choices as unknown[]).filter((choice) => typeof choice === 'string');
}

/** Words without the punctuation around them. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;()"'“”]+/)
    .map((word) => word.replace(/[.:?!]+$/, ''))
    .filter((word) => word !== '');
}

/**
 * The word that is written as an example of the field is: an address of a network, a date, a version.
 * The second field of that shape takes the second such word.
 */
function likeExample(tool: Tool, field: string, text: string): string | undefined {
  const shape = shapeIn(tool, field);
  if (shape === undefined) return undefined;
  const alike = fieldsOf(tool).filter((name) => shapeIn(tool, name) === shape);
  return wordsLike(shape, text)[alike.indexOf(field)];
}

function wordsLike(shape: string, text: string): string[] {
  return wordsOf(text).filter((word) => shapeOf(word) === shape);
}

function exampleOf({ examples }: Tool, field: string): string | undefined {
  return examples
    .flatMap((each) => each[field])
    .find((value): value is string => typeof value === 'string');
}

/** Of the first example; undefined where any word could have that shape. */
function shapeIn(tool: Tool, field: string): string | undefined {
  const shape = shapeOf(exampleOf(tool, field) ?? '');
  return /[9@#]/.test(shape) && shape.length > 1 && !/\s/.test(shape) ? shape : undefined;
}

/** `9.9.9.9/9` of `10.0.0.0/8`, `a@a.a` of an address of mail. */
function shapeOf(word: string): string {
  return word.replace(/[\p{L}\d]+/gu, (run) => (/\d/.test(run) ? '9' : 'a'));
}
