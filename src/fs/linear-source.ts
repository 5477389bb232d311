/**
 * The engine has two ways to match: by trying, which may take time without end, and in linear time,
 * which it changes to when it has tried too often (see `engineFlags`). The second one knows neither
 * Unicode nor letters of two cases, so both are written out: each character that an expression may
 * match becomes a class of UTF-16 units, and a pair of surrogates where it lies above U+FFFF.
 *
 * @param flags what the expression means by its characters: `u`, `i`, both or none
 * @returns an expression without these flags that matches the same in texts without a line feed and
 *   without half of a pair, and never a line feed; undefined where the second way takes none
 */
export function linearSource(tokens: readonly PatternToken[], flags: string): string | undefined {
  const known = tokens.every(({ type, source }) => type !== 'reference' && !isLook(source));
  // With both flags `\b` also counts two letters beyond ASCII as parts of words.
  const bounds = flags.includes('u') && flags.includes('i');
  if (!known || (bounds && tokens.some(({ source }) => /^\\b$/i.test(source)))) return undefined;
  const linear = tokens
    .map((token) =>
      token.type === 'set' || token.type === 'character' ? characters(token, flags) : token.source,
    )
    .join('');
  return isTaken(linear) ? linear : undefined;
}

export function isLook(source: string): boolean {
  return /^\(\?<?[=!]/.test(source);
}

/** What the second way refuses besides: counts of repeats above 16. */
function isTaken(source: string): boolean {
  try {
    new RegExp(source, 'ls');
    return true;
  } catch (thrown) {
    // A process that was started without the flag cannot tell.
    return thrown instanceof SyntaxError && /invalid flags/i.test(thrown.message);
  }
}

type Range = readonly [first: number, last: number];

const lineFeed = 0x0a;
const surrogates: Range = [0xd800, 0xdfff];
const lastUnit = 0xffff;
const lastCharacter = 0x10_ffff;
/** A cache: a class or an escape such as `\w` always expands to the same text. */
const written = new Map<string, string>();
const maxWritten = 1000;

function characters(token: PatternToken, flags: string): string {
  const { type, source } = token;
  if (type === 'character') {
    if (!flags.includes('i') || !/[a-z]/i.test(token.value)) return source;
    const letter = token.value.toLowerCase();
    const more = flags.includes('u') ? (twins[letter] ?? '') : '';
    return `[${letter}${letter.toUpperCase()}${more}]`;
  }
  const simple = flags.includes('i') ? undefined : simpleClass(source, flags.includes('u'));
  if (simple !== undefined) return simple;
  const key = `${flags}/${source}`;
  const known = written.get(key);
  if (known !== undefined) return known;
  if (written.size >= maxWritten) written.clear();
  const made = writeOut(rangesOf(source, flags), flags.includes('u'));
  written.set(key, made);
  return made;
}

/** Letters beyond ASCII that fold to these. */
const twins: Readonly<Record<string, string>> = { k: '\\u212a', s: '\\u017f' };
const anyPair = '[\\ud800-\\udbff][\\udc00-\\udfff]';

/** The most frequent classes, expanded without testing every character. */
function simpleClass(source: string, pairs: boolean): string | undefined {
  if (/^\\[dw]$/.test(source) || /^\[(?!\^)(?:[ -Z^-~]|\\[dw.-])*\]$/.test(source)) return source;
  if (source === '\\s') return '[^\\S\\n]';
  const body = /^\\[DWS]$/.test(source)
    ? source.toLowerCase()
    : source === '.'
      ? ''
      : /^\[\^((?:[ -Z^-~]|\\[dwsn.-])*)\]$/.exec(source)?.[1];
  if (body === undefined) return undefined;
  return pairs ? `(?:[^\\n\\ud800-\\udfff${body}]|${anyPair})` : `[^\\n${body}]`;
}

/** What one character of an expression may be. */
function rangesOf(source: string, flags: string): Range[] {
  if (source === '.') return without([[0, lastCharacter]]);
  const isNegated = source.startsWith('[^');
  const one = new RegExp(isNegated ? `[${source.slice(2)}` : source, `g${flags}`);
  const found: Range[] = [];
  const add = (code: number): void => {
    const last = found.at(-1);
    if (last !== undefined && last[1] === code - 1) found[found.length - 1] = [last[0], code];
    else found.push([code, code]);
  };
  for (const [character] of units().matchAll(one)) add(character.codePointAt(0) ?? 0);
  // Only such patterns match characters above U+FFFF.
  if (/\\[pPuWDS]|[^\0-\x7f]/.test(source)) {
    const whole = new RegExp(`^(?:${one.source})*$`, flags);
    for (let block = lastUnit + 1; block < lastCharacter; block += blockSize) {
      const codes = Array.from({ length: blockSize }, (_, at) => block + at);
      const text = String.fromCodePoint(...codes);
      if (whole.test(text)) codes.forEach(add);
      else for (const [character] of text.matchAll(one)) add(character.codePointAt(0) ?? 0);
    }
  }
  return without(isNegated ? complement(found) : found);
}

const blockSize = 256;
let allUnits: string | undefined;

/** Each UTF-16 unit, but those of pairs. */
function units(): string {
  allUnits ??= Array.from({ length: lastUnit + 1 }, (_, code) =>
    isBetween(code, surrogates) ? '' : String.fromCharCode(code),
  ).join('');
  return allUnits;
}

function isBetween(code: number, [first, last]: Range): boolean {
  return code >= first && code <= last;
}

function complement(ranges: readonly Range[]): Range[] {
  const left: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) left.push([next, first - 1]);
    next = last + 1;
  }
  return next > lastCharacter ? left : [...left, [next, lastCharacter]];
}

/** Without the line feed, and halves of pairs. */
function without(ranges: readonly Range[]): Range[] {
  const holes: Range[] = [[lineFeed, lineFeed], surrogates];
  return holes.reduce<Range[]>(
    (left, [from, to]) =>
      left.flatMap(([first, last]): Range[] => {
        if (last < from || first > to) return [[first, last]];
        const before: Range[] = first < from ? [[first, from - 1]] : [];
        return last > to ? [...before, [to + 1, last]] : before;
      }),
    [...ranges],
  );
}

/** @param pairs false: characters are UTF-16 units, and half of a pair is one */
function writeOut(ranges: readonly Range[], pairs: boolean): string {
  const low = ranges.flatMap(([first, last]): Range[] =>
    first > lastUnit ? [] : [[first, Math.min(last, lastUnit)]],
  );
  const high = ranges.flatMap(([first, last]): Range[] =>
    last > lastUnit ? [[Math.max(first, lastUnit + 1), last]] : [],
  );
  const isHalf = !pairs && high.length > 0;
  const single = [...low, ...(isHalf ? [surrogates] : [])].map(([first, last]) =>
    first === last ? unit(first) : `${unit(first)}-${unit(last)}`,
  );
  const own = `[${single.join('')}]`;
  if (!pairs || high.length === 0) return own;
  const wide = high.flatMap(([first, last]) => pairsOf(first, last));
  return `(?:${[...(single.length === 0 ? [] : [own]), ...wide].join('|')})`;
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Pairs of surrogates from one character to another one. */
function pairsOf(first: number, last: number): string[] {
  const half = (code: number): [number, number] => [
    0xd800 + ((code - 0x1_0000) >> 10),
    0xdc00 + ((code - 0x1_0000) & 0x3ff),
  ];
  const [[high, low], [lastHigh, lastLow]] = [half(first), half(last)];
  const pair = (from: number, to: number, begin: number, end: number): string =>
    `[${unit(from)}-${unit(to)}][${unit(begin)}-${unit(end)}]`;
  if (high === lastHigh) return [pair(high, high, low, lastLow)];
  const from = low === 0xdc00 ? high : high + 1;
  const to = lastLow === 0xdfff ? lastHigh : lastHigh - 1;
  return [
    ...(from === high ? [] : [pair(high, high, low, 0xdfff)]),
    ...(from > to ? [] : [pair(from, to, 0xdc00, 0xdfff)]),
    ...(to === lastHigh ? [] : [pair(lastHigh, lastHigh, 0xdc00, lastLow)]),
  ];
}

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
