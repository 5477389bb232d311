import { LineError } from './line-error.ts';

/**
 * A stretch of a word. Quoted text is taken as it is, unquoted text may hold patterns, and an
 * unquoted variable is split at white space.
 */
export type WordPart =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'variable'; name: string; quoted: boolean }
  /** `$(…)`: a line of its own */
  | { kind: 'substitution'; line: string; quoted: boolean };

export type Token =
  | { kind: 'word'; parts: readonly WordPart[]; raw: string }
  // Behind `<<` the word is the text of the here-document.
  /** control and redirection operators; `fd` is the digit before a redirection */
  | { kind: 'operator'; text: Operator; fd: number | undefined };

export type Operator = (typeof operators)[number];

/** Longest first; those that are not run here are known, so that they can be named. */
const operators = [
  ...(['<<<', '<<-', '&>>'] as const),
  ...([
    '&&',
    '||',
    ';;',
    ';&',
    '|&',
    '<<',
    '>>',
    '<&',
    '>&',
    '<>',
    '>|',
    '&>',
    '<(',
    '>(',
  ] as const),
  ...(['\n', ';', '|', '&', '<', '>', '(', ')'] as const),
];

/** Characters of a line. */
const maxLineLength = 16 * 1024;

/**
 * Takes a line apart as a POSIX shell does: quotes, escapes, operators, comments. Nothing is
 * expanded yet.
 *
 * @throws {LineError} for what is not closed and for forms that are not supported
 */
export function readTokens(line: string): Token[] {
  if (line.length > maxLineLength) {
    throw new LineError(`the line has ${line.length} characters, limit ${maxLineLength}`);
  }
  const control = /[^\P{Cc}\t\n]/u.exec(line);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).padStart(4, '0');
    throw new LineError(`the line holds the control character U+${code.toUpperCase()}`);
  }
  const tokens: Token[] = [];
  const waiting: HereDocument[] = [];
  let at = 0;
  while (at < line.length) {
    const blank = /^(?:[ \t]|\\\n)+/.exec(line.slice(at))?.[0].length ?? 0;
    at += blank;
    if (at >= line.length) break;
    if (line.charAt(at) === '#') {
      const end = line.indexOf('\n', at);
      at = end < 0 ? line.length : end;
      continue;
    }
    const digits = /^\d+(?=[<>])/.exec(line.slice(at))?.[0] ?? '';
    const operator = operators.find((each) => line.startsWith(each, at + digits.length));
    if (operator !== undefined) {
      tokens.push({
        kind: 'operator',
        text: operator,
        fd: digits === '' ? undefined : Number(digits),
      });
      at += digits.length + operator.length;
      if (operator === '<<' || operator === '<<-') {
        const opened = openHereDocument(line, at, operator === '<<-');
        tokens.push(opened.token);
        waiting.push(opened);
        at = opened.end;
      }
      if (operator === '\n') for (const each of waiting.splice(0)) at = readBody(line, at, each);
      continue;
    }
    const word = readWord(line, at);
    tokens.push({ kind: 'word', parts: word.parts, raw: line.slice(at, word.end) });
    at = word.end;
  }
  if (waiting[0] !== undefined) throw noEnd(waiting[0]);
  return tokens;
}

/** A here-document whose text begins behind the line that it stands in. */
type HereDocument = {
  /** stands for the text, which is filled in when it was read */
  token: Extract<Token, { kind: 'word' }>;
  delimiter: string;
  /** a quoted delimiter: nothing in the text is expanded */
  plain: boolean;
  /** tabs in front of each line are left out */
  strips: boolean;
};

function openHereDocument(
  line: string,
  start: number,
  strips: boolean,
): HereDocument & { end: number } {
  const from = start + (/^[ \t]*/.exec(line.slice(start))?.[0].length ?? 0);
  const { parts, end } = readWord(line, from);
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : undefined));
  if (texts.length === 0 || texts.includes(undefined)) {
    throw new LineError('the here-document << has no plain word that ends it');
  }
  const raw = line.slice(from, end);
  const plain = /['"\\]/.test(raw);
  return { token: { kind: 'word', parts: [], raw }, delimiter: texts.join(''), plain, strips, end };
}

/** @returns where the line goes on */
function readBody(line: string, start: number, open: HereDocument): number {
  let text = '';
  for (let at = start; at < line.length; ) {
    const found = line.indexOf('\n', at);
    const end = found < 0 ? line.length : found;
    const read = line.slice(at, end);
    const shown = open.strips ? read.replace(/^\t+/, '') : read;
    at = Math.min(end + 1, line.length);
    if (shown === open.delimiter) {
      const whole: WordPart = { kind: 'text', text, quoted: true };
      const parts = open.plain ? [whole] : readQuotedText(text, 0, undefined).parts;
      open.token.parts = parts;
      return at;
    }
    text += `${shown}\n`;
  }
  throw noEnd(open);
}

function noEnd({ delimiter }: HereDocument): LineError {
  return new LineError(
    `the here-document << has no line ${JSON.stringify(delimiter)} that ends it`,
  );
}

type Read = { parts: WordPart[]; end: number };

function readWord(line: string, start: number): Read {
  const parts: WordPart[] = [];
  let at = start;
  while (at < line.length && !/[ \t\n;&|<>()]/.test(line.charAt(at))) {
    const char = line.charAt(at);
    const read =
      char === "'"
        ? readSingleQuotes(line, at)
        : char === '"'
          ? readDoubleQuotes(line, at)
          : char === '\\'
            ? readEscape(line, at)
            : char === '$'
              ? readDollar(line, at, false)
              : readPlain(line, at);
    parts.push(...read.parts);
    at = read.end;
  }
  return { parts, end: at };
}

function readPlain(line: string, start: number): Read {
  if (line.charAt(start) === '`') return readBackticks(line, start, false);
  const text = /^[^\s;&|<>()'"\\$`]+|^./su.exec(line.slice(start))?.[0] ?? '';
  return { parts: [{ kind: 'text', text, quoted: false }], end: start + text.length };
}

function readSingleQuotes(line: string, start: number): Read {
  const end = line.indexOf("'", start + 1);
  if (end < 0) throw new LineError("a quote ' is not closed");
  const text = line.slice(start + 1, end);
  return { parts: [{ kind: 'text', text, quoted: true }], end: end + 1 };
}

function readEscape(line: string, at: number): Read {
  if (at + 1 >= line.length) throw new LineError('a \\ is at the end of the line');
  const next = String.fromCodePoint(line.codePointAt(at + 1) ?? 0);
  const end = at + 1 + next.length;
  return next === '\n'
    ? { parts: [], end }
    : { parts: [{ kind: 'text', text: next, quoted: true }], end };
}

function readDoubleQuotes(line: string, start: number): Read {
  return readQuotedText(line, start + 1, '"');
}

/** Text in which variables count and nothing is split, up to its quote or to its end. */
function readQuotedText(line: string, start: number, quote: '"' | undefined): Read {
  // An empty text, so that "" is a word.
  const parts: WordPart[] = [{ kind: 'text', text: '', quoted: true }];
  const escapable = quote === undefined ? /[$`\\\n]/ : /[$`"\\\n]/;
  let at = start;
  while (at < line.length) {
    const char = line.charAt(at);
    if (char === quote) return { parts, end: at + 1 };
    if (char === '$' || char === '`') {
      const read = char === '$' ? readDollar(line, at, true) : readBackticks(line, at, true);
      parts.push(...read.parts);
      at = read.end;
      continue;
    }
    const escaped = char === '\\' && escapable.test(line.charAt(at + 1));
    const text = escaped ? line.charAt(at + 1) : char;
    if (text !== '\n' || !escaped) parts.push({ kind: 'text', text, quoted: true });
    at += escaped ? 2 : 1;
  }
  if (quote === undefined) return { parts, end: at };
  throw new LineError('a quote " is not closed');
}

function readDollar(line: string, at: number, quoted: boolean): Read {
  const rest = line.slice(at + 1);
  const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest)?.[0];
  if (name !== undefined) {
    return { parts: [{ kind: 'variable', name, quoted }], end: at + 1 + name.length };
  }
  const braced = /^\{([A-Za-z_][A-Za-z0-9_]*)\}/.exec(rest);
  if (braced?.[1] !== undefined) {
    const end = at + 1 + braced[0].length;
    return { parts: [{ kind: 'variable', name: braced[1], quoted }], end };
  }
  if (rest.startsWith('((')) throw new LineError('arithmetic $((…)) is not supported');
  if (rest.startsWith('(')) {
    const end = endOfSubstitution(line, at + 2);
    const inner = line.slice(at + 2, end - 1);
    return { parts: [{ kind: 'substitution', line: inner, quoted }], end };
  }
  if (rest.startsWith('{')) {
    throw new LineError(`only the form $\{NAME} of $\{…} is supported`);
  }
  if (rest.startsWith('[')) throw new LineError('arithmetic $[…] is not supported');
  if (!quoted && /^['"]/.test(rest)) {
    throw new LineError(`quoting by $${rest.charAt(0)}…${rest.charAt(0)} is not supported`);
  }
  const special = /^[0-9?$!@*#-]/.exec(rest)?.[0];
  if (special !== undefined) throw new LineError(`the variable $${special} has no value here`);
  return { parts: [{ kind: 'text', text: '$', quoted: true }], end: at + 1 };
}

/** @param start behind `$(` @returns behind its `)` */
function endOfSubstitution(line: string, start: number): number {
  let open = 1;
  for (let at = start; at < line.length; ) {
    const char = line.charAt(at);
    if (char === "'") at = readSingleQuotes(line, at).end;
    else if (char === '"') at = readDoubleQuotes(line, at).end;
    else if (char === '\\') at += 2;
    else {
      if (char === '(') open += 1;
      if (char === ')') open -= 1;
      at += 1;
      if (open === 0) return at;
    }
  }
  throw new LineError('a substitution $( is not closed');
}

/** The older form, in which a backslash takes the next backtick, dollar or backslash as it is. */
function readBackticks(line: string, start: number, quoted: boolean): Read {
  const inner = /^(?:[^`\\]|\\[\s\S])*/.exec(line.slice(start + 1))?.[0] ?? '';
  const end = start + inner.length + 2;
  if (line.charAt(end - 1) !== '`') throw new LineError('a substitution ` is not closed');
  const plain = inner.replace(/\\([`$\\])/g, '$1');
  return { parts: [{ kind: 'substitution', line: plain, quoted }], end };
}
