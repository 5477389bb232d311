import type { Json, JsonObject } from '../../contracts/tool.ts';
import { isObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';

/**
 * What templates put around calls and what stands between them: tags and marks of tools, fences, the
 * ends of a turn, the `print(…)` of Gemma, the channels of gpt-oss.
 */
const wrapping =
  /\s+|[,;)\]]|<\/?[\w:]*(?:tool|function)_?(?:calls?|use|request)[\w:]*>|<\/?[|｜](?![^<>\n]*=)[^<>\n]{1,60}>|<\/?s>|\[\/?(?:END_)?TOOL_(?:CALLS?|REQUEST)\]|\[CALL_ID\]\w*|\[ARGS\]|functools|`{3,}[ \t]*\w*|print\(|(?:assistant)?(?:commentary|analysis)?\s*\bto=|(?:json|code)(?=[\s<{])/iy;
/** A tag that has an end. */
const paired = /^<(\/?)\w/;
const functionTag =
  /<[\w:|｜▁]*?(?:function|invoke)(?:\s+name)?\s*=\s*["']?([^"'<>\s]+)["']?[^<>]*>([\s\S]*?)(<\/[\w:|｜▁]*?(?:function|invoke)>|$)/iy;
const parameterTag =
  /<[\w:|｜▁]*?(?:parameter|param)(?:\s+name)?\s*=\s*["']?([^"'<>\s]+)["']?[^<>]*>([\s\S]*)/i;
const parameterEnd = /<\/[\w:|｜▁]*?(?:parameter|param)>/i;
const argumentPair = /<arg_key>([^<]*)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/gi;
const argumentPairs = new RegExp(`(?:${argumentPair.source})+`, 'iy');
const name = /[A-Za-z_][\w.:/-]*/y;

/** A line that begins calls and nothing else. */
export const surelyCalls =
  /^\s*(?:<[|｜]?[\w:▁｜]*(?:tool[_▁]?(?:calls?|use)|toolcall|function_calls?|python_tag|start_action|dsml)[^<>\n]{0,40}>|<[\w:]*(?:function\s*=|function\s+name\s*=|invoke\s+name\s*=)|\[TOOL_(?:CALLS?|REQUEST)\]|functools\s*\[|`{3,}\s*tool_\w|(?:assistant)?(?:commentary|analysis)?\s*to=[\w.]+)/i;
/** A line that may begin them. */
export const perhapsCalls =
  /^\s*(?:\{\s*["'}]|\[\s*(?:\{\s*["']|[\w.]+\()|`{3,}[ \t]*(?:json\w*|xml|python|text)?[ \t]*\r?\n)/i;
/** A text that may still become such a tag or line. */
export const halfOpening =
  /^\s*(?:<[^<>\n]{0,80}|\[\s*[\w.]{0,60}|\[\s*\{\s*|\{\s*|`{1,3}[ \t]*\w{0,12}[ \t]*\r?)?$/;
export const openings = [
  ...['functools[', 'assistantcommentary to=', 'commentary to=', 'assistant to='],
];

export type WrittenCall = {
  name: string;
  input: Json;
  /** only its content looks like a call, without a mark around it */
  isPlain?: boolean;
};

export type WrittenCalls = {
  calls: WrittenCall[];
  /** the text from where it is no call any more */
  rest: string;
  /** an object, a tag or a fence has no end */
  isCut: boolean;
};

/** Reads the calls of a text in any of the forms that models were trained on. */
export function callsInWords(text: string): WrittenCalls {
  const calls: WrittenCall[] = [];
  let at = 0;
  let open = 0;
  let inFence = false;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  const skip = (): void => {
    for (let found = take(wrapping); found !== null; found = take(wrapping)) {
      const [, end] = paired.exec(found[0]) ?? [];
      if (end !== undefined && !/^<\/?s>$/.test(found[0])) open += end === '' ? 1 : -1;
      if (found[0].startsWith('```')) inFence = !inFence;
    }
  };
  const done = (rest: string, isCut: boolean): WrittenCalls => ({ calls, rest, isCut });
  /** @returns undefined where there is no end or no value */
  const takeValue = (read: (value: string) => Json | undefined): Json | undefined => {
    const end = endOf(text, at);
    const value = end === undefined ? undefined : read(text.slice(at, end));
    if (value !== undefined && end !== undefined) at = end;
    return value;
  };

  for (;;) {
    skip();
    if (at >= text.length) return done('', open > 0 || inFence);
    const from = at;
    const tag = take(functionTag);
    if (tag !== null) {
      const [, called = '', body = '', end] = tag;
      if (end === '') return done(text.slice(from), true);
      calls.push({ name: called, input: parametersOf(body) });
      continue;
    }
    if (text[at] === '{' || /\[\s*[{"']/y.test(text.slice(at, at + 20))) {
      if (endOf(text, at) === undefined) return done(text.slice(from), true);
      const value = takeValue(literalOf);
      const found = value === undefined ? undefined : callsOf(value);
      if (found === undefined) return done(text.slice(from), false);
      calls.push(...found);
      continue;
    }
    // A list of calls as Python writes them.
    if (text[at] === '[') {
      at += 1;
      skip();
    }
    const called = take(name)?.[0];
    if (called === undefined) return done(text.slice(from), false);
    skip();
    const again = called === 'function' ? take(name)?.[0] : undefined;
    if (again !== undefined) skip();
    const pairs = take(argumentPairs);
    let input: Json | undefined;
    if (pairs !== null) input = pairsOf([...pairs[0].matchAll(argumentPair)]);
    else if (text[at] === '{' || text[at] === '(') {
      const isLiteral = text[at] === '{';
      if (endOf(text, at) === undefined) return done(text.slice(from), true);
      input = takeValue(isLiteral ? literalOf : keywordsOf);
    } else return done(text.slice(from), at >= text.length);
    if (input === undefined) return done(text.slice(from), false);
    calls.push({ name: again ?? called, input, isPlain: true });
  }
}

function pairsOf(found: readonly RegExpExecArray[]): JsonObject {
  return Object.fromEntries(
    found.map(([, key = '', value = '']) => [key.trim(), value.replace(/^\r?\n|\r?\n$/g, '')]),
  );
}

function parametersOf(body: string): Json {
  const json = body.trim();
  if (json.startsWith('{')) return literalOf(json) ?? json;
  const parts = body.split(parameterEnd).slice(0, -1);
  return pairsOf(parts.map((part) => parameterTag.exec(part)).filter((found) => found !== null));
}

/** Behind the bracket that closes the one at `from`; undefined where there is none. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('{[('.includes(char)) depth += 1;
    else if ('}])'.includes(char)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** JSON, or the same as Python writes it. */
function literalOf(text: string): Json | undefined {
  for (const read of [text, jsonOf(text)]) {
    try {
      return parseExactJson(read) as Json;
    } catch {
      // Ignored: it may be the other form, or no call.
    }
  }
  return undefined;
}

/** `(path="a", start=1)` -> `{"path":"a","start":1}` */
function keywordsOf(text: string): Json | undefined {
  return literalOf(
    `{${jsonOf(text.slice(1, -1)).replace(/("(?:[^"\\]|\\.)*")|\b([A-Za-z_]\w*)\s*=/g, (all, quoted, key) => (quoted === undefined ? `"${key}":` : all))}}`,
  );
}

const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function jsonOf(python: string): string {
  return python.replace(
    /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|\b(True|False|None)\b|,(?=\s*[}\])])/g,
    (all, single?: string, word?: string) => {
      if (word !== undefined) return words[word] ?? all;
      if (single === undefined) return all === ',' ? '' : all;
      return `"${single.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`;
    },
  );
}

const nameKeys = ['name', 'tool', 'tool_name', 'function', 'action'] as const;
const inputKeys = ['arguments', 'parameters', 'input', 'args', 'params', 'action_input'] as const;

/** The calls that a value of JSON is; undefined where it is something else. */
function callsOf(value: Json): WrittenCall[] | undefined {
  if (Array.isArray(value)) {
    const all = value.map(callsOf);
    return all.length > 0 && all.every((each) => each !== undefined) ? all.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  if (Array.isArray(value.tool_calls)) return callsOf(value.tool_calls);
  if (isObject(value.function)) return callsOf(value.function);
  const called = nameKeys.map((key) => value[key]).find((each) => typeof each === 'string');
  const key = inputKeys.find((each) => value[each] !== undefined);
  // With a description it is the definition of a tool.
  if (typeof called !== 'string' || 'description' in value) return undefined;
  if (key === undefined) return [{ name: called, input: {}, isPlain: true }];
  return [{ name: called, input: value[key] as Json }];
}
