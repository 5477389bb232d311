/** A piece of a regular expression, as far as a search has to know it. */
export type PatternToken =
  /** one character that stands for itself */
  | { type: 'character'; source: string; value: string }
  /** one character out of several: a class, `.`, `\w` */
  | { type: 'set'; source: string }
  /** matches the empty string: `^`, `$`, `\b`, `\B` */
  | { type: 'assertion'; source: string }
  /** `min` is 0 when what it follows may be absent */
  | { type: 'quantifier'; source: string; min: number; max: number }
  /** `open` is also what begins a look around */
  | { type: 'open' | 'close' | 'or'; source: string }
  /** a backreference: unknown text */
  | { type: 'reference'; source: string };

/**
 * Reads a valid regular expression without flag `v` into tokens.
 *
 * @returns undefined for parts that this reader does not know for sure, such as modifiers. Callers
 *   must then draw no conclusion.
 */
export function readPattern(source: string): PatternToken[] | undefined {
  const tokens: PatternToken[] = [];
  for (let at = 0; at < source.length; ) {
    const token = readToken(source, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at += token.source.length;
  }
  return tokens;
}

const simpleTokens: Readonly<Record<string, 'open' | 'close' | 'or' | 'assertion' | 'set'>> = {
  ')': 'close',
  '|': 'or',
  '^': 'assertion',
  $: 'assertion',
  '.': 'set',
};

const quantifiers = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const;

function readToken(source: string, at: number): PatternToken | undefined {
  const character = source[at]!;
  if (character === '\\') return readEscape(source, at);
  if (character === '[') return readClass(source, at);
  if (character === '(') return readGroup(source, at);
  if (character === '*' || character === '+' || character === '?') {
    const [min, max] = quantifiers[character];
    return quantifier(source, at, character, min, max);
  }
  if (character === '{') return readBraces(source, at);
  const type = simpleTokens[character];
  if (type !== undefined) return { type, source: character } as PatternToken;
  // Half of a pair, or a letter that folds in unusual ways: true of ASCII alone.
  if (character > '\x7f') {
    return { type: 'set', source: String.fromCodePoint(source.codePointAt(at) ?? 0) };
  }
  return { type: 'character', source: character, value: character };
}

function quantifier(
  source: string,
  at: number,
  text: string,
  min: number,
  max: number,
): PatternToken {
  const lazy = source[at + text.length] === '?' ? '?' : '';
  return { type: 'quantifier', source: text + lazy, min, max };
}

function readBraces(source: string, at: number): PatternToken {
  const [text, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(at, at + 64)) ?? [];
  if (text === undefined) return { type: 'character', source: '{', value: '{' };
  const upper = comma === '' ? Number(min) : max === '' ? Infinity : Number(max);
  return quantifier(source, at, text, Number(min), upper);
}

function readGroup(source: string, at: number): PatternToken | undefined {
  if (source[at + 1] !== '?') return { type: 'open', source: '(' };
  const open = /^\(\?(?::|<?[=!]|<[A-Za-z_$][\w$]*>)/.exec(source.slice(at, at + 256))?.[0];
  return open === undefined ? undefined : { type: 'open', source: open };
}

function readEscape(source: string, at: number): PatternToken | undefined {
  const text = source.slice(at, at + 2);
  const letter = text[1]!;
  if ('dDwWsStnrfv'.includes(letter)) return { type: 'set', source: text };
  if ('bB'.includes(letter)) return { type: 'assertion', source: text };
  const code =
    /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|c[A-Za-z]|[pP]\{[\w=]+\})/.exec(
      source.slice(at, at + 64),
    )?.[0];
  // Two of them may be one character.
  if (code !== undefined && !/^\\u\{?d[89a-f]/i.test(code)) return { type: 'set', source: code };
  const named = /^\\k<[A-Za-z_$][\w$]*>/.exec(source.slice(at, at + 256))?.[0];
  if (named !== undefined) return { type: 'reference', source: named };
  if (/[1-9]/.test(letter)) {
    const digits = /^\\\d+/.exec(source.slice(at, at + 16))?.[0];
    // `\1` may also be an octal escape when there is no such group.
    return digits?.length === 2 ? { type: 'reference', source: digits } : undefined;
  }
  if (/[A-Za-z0-9]/.test(letter) || letter > '\x7f') return undefined;
  return { type: 'character', source: text, value: letter };
}

function readClass(source: string, at: number): PatternToken | undefined {
  for (let end = at + 1; end < source.length; end += 1) {
    if (source[end] === '\\') end += 1;
    else if (source[end] === ']') return { type: 'set', source: source.slice(at, end + 1) };
  }
  return undefined;
}
