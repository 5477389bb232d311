import type { Mentions } from '../../contracts/intent.ts';
import type { JsonObject, Tool } from '../../contracts/tool.ts';
import { pathsIn, quotedIn } from '../../lib/text/words.ts';

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

/** Those that are required first: they take what the question has. */
function fieldsOf(tool: Tool): readonly string[] {
  return [...new Set([...requiredOf(tool), ...Object.keys(propertiesOf(tool))])];
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
  const { number, url, paths, names, text } = mentions;
  switch (kind) {
    case 'number': {
      const required = alike.filter((name) => requiredOf(tool).includes(name));
      return required.length > 1 ? numberBeside(field, text) : number;
    }
    case 'choice':
      return choiceIn(text, propertiesOf(tool)[field] ?? {});
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

function choiceIn(text: string, { enum: choices }: JsonObject): string | undefined {
  const said = ` ${wordsOf(text).join(' ')} `.toLowerCase();
  return (choices as unknown[]).find(
    (choice): choice is string =>
      typeof choice === 'string' &&
      [` ${choice} `, ` ${choice}s `].some((word) => said.includes(word.toLowerCase())),
  );
}

/** `36` of "36 months" for a field `months`; of several numbers no order is sure. */
function numberBeside(field: string, text: string): number | undefined {
  const words = field.split(/[^A-Za-z]+|(?=[A-Z])/).filter((word) => word.length > 1);
  for (const word of words) {
    const name = `${word.replace(/s$/i, '')}s?`;
    const found = new RegExp(
      `(-?\\b\\d+(?:\\.\\d+)?) ?${name}\\b|\\b${name} ?(?:is|of|to|at|=|:)? ?(-?\\d+(?:\\.\\d+)?)\\b`,
      'i',
    ).exec(text);
    if (found !== null) return Number(found[1] ?? found[2]);
  }
  return undefined;
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
