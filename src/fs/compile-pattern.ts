import { fsLimits } from '../paths/fs-limits.ts';
import { showPath } from '../paths/parse-path.ts';
import { HostFailure } from '../paths/system-failure.ts';
import { isLook, linearSource, type PatternToken, readPattern } from './linear-source.ts';
/** How a text is searched for the lines that match. */
export type LinePattern = {
  /**
   * Global. Run over a whole text it finds a place in every line that matches, and perhaps
   * in others.
   */
  finder: RegExp;
  /**
   * decides whether a single line matches, given without its line end; undefined: the finder is
   * exact
   */
  line: RegExp | undefined;
  /** a UTF-8 text without any of these holds no match; empty when nothing is known */
  needles: readonly Buffer[];
  /** the engine can match it only by backtracking, which may never end */
  isTried?: boolean;
};

/**
 * Each line is matched alone: `^` and `$` are its ends, and nothing reaches over a line
 * break. Running the expression line by line would cost ten times the search, so a finder
 * goes over the whole text: the pattern itself, kept from crossing lines, or a literal that
 * every match must hold.
 *
 * @throws {HostFailure} `invalid` with the pattern and the reason, `limit` for its length
 */
export function compilePattern(options: {
  pattern: string;
  literal: boolean;
  caseInsensitive: boolean;
}): LinePattern {
  const { pattern, literal } = options;
  if (pattern.length > fsLimits.patternCharacters) {
    const text = `pattern has ${pattern.length} characters, limit ${fsLimits.patternCharacters}`;
    throw new HostFailure('limit', text);
  }
  if (!pattern.isWellFormed()) {
    throw new HostFailure('invalid', `pattern ${showPath(pattern)} holds half of a surrogate pair`);
  }
  const fold = options.caseInsensitive ? 'i' : '';
  if (!literal) return compileExpression(pattern, fold);
  if (pattern.includes('\n')) {
    const text = `pattern ${showPath(pattern)} holds a line feed; lines are matched one by one`;
    throw new HostFailure('invalid', text);
  }
  const flags = options.caseInsensitive ? 'giu' : 'g';
  const finder = new RegExp(escapeLiteral(pattern), flags);
  return { finder, line: undefined, needles: needlesOf([pattern], flags) };
}

function compileExpression(pattern: string, fold: string): LinePattern {
  const line = compileLine(pattern, fold);
  const tokens = readPattern(pattern);
  const mayRepeat = tokens === undefined ? /[*+{]/.test(pattern) : tokens.some(repeats);
  if (!mayRepeat) return compileTokens(tokens, line);
  const linear = tokens && linearSource(tokens, line.flags.replace('s', ''));
  if (linear === undefined) {
    return { ...compileTokens(tokens, line, /^/gm), isTried: true };
  }
  return { ...compileTokens(tokens, line, new RegExp(linear, 'gm')), line: new RegExp(linear) };
}

function repeats(token: PatternToken): boolean {
  return token.type === 'quantifier' && token.max > 1;
}

/** @param whole finds a place in each line that matches, in place of the expression itself */
function compileTokens(
  tokens: readonly PatternToken[] | undefined,
  line: RegExp,
  whole?: RegExp,
): LinePattern {
  // An unknown part may match in every line.
  if (tokens === undefined) return { finder: /^/gm, line, needles: [] };
  const alternatives = splitAlternatives(tokens);
  const literals = alternatives.map(requiredLiteral);
  const looks = tokens.some(({ source }) => isLook(source));
  const byLiterals = looks
    ? literals.every((literal) => literal !== '')
    : alternatives.every((part, index) => wantsLiteral(part, literals[index]!));
  const other = () =>
    looks ? /^/gm : (whole ?? new RegExp(keepWithinLine(tokens, line.flags), `gm${line.flags}`));
  const finder = byLiterals
    ? new RegExp(literals.map(escapeLiteral).join('|'), `g${line.flags}`)
    : other();
  return { finder, line, needles: needlesOf(literals, line.flags) };
}

/**
 * Looking for bytes before a text is decoded pays where they are few, long enough to be
 * rare, and of one case.
 */
function needlesOf(literals: readonly string[], flags: string): Buffer[] {
  const isWorthIt = literals.every((literal) => literal.length >= minNeedleLength);
  if (!isWorthIt || literals.length > maxNeedles || flags.includes('i')) return [];
  return literals.map((literal) => Buffer.from(literal));
}

const minNeedleLength = 3;
const maxNeedles = 3;

/**
 * With flag `u` where the pattern allows it: then `.` is a character, not half of one. With `s`: a
 * line holds no line feed, and `\r` or U+2028 are text.
 */
function compileLine(pattern: string, fold: string): RegExp {
  try {
    return new RegExp(pattern, `su${fold}`);
  } catch {
    // Older syntax such as `\-` is an error with `u` alone.
  }
  try {
    return new RegExp(pattern, `s${fold}`);
  } catch (thrown) {
    throw patternFailure(pattern, thrown);
  }
}

/** @param thrown what the engine said: `Invalid regular expression: /x(/: Unterminated group` */
export function patternFailure(pattern: string, thrown: unknown): HostFailure {
  const message = thrown instanceof Error ? thrown.message : '';
  const reason = message.slice(message.lastIndexOf(': ') + 2) || 'unknown';
  const text = `pattern ${showPath(pattern)} is not a regular expression: ${reason}`;
  return new HostFailure('invalid', text);
}

/** The parts between `|` outside of any group. */
function splitAlternatives(tokens: readonly PatternToken[]): PatternToken[][] {
  const parts: PatternToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'open') depth += 1;
    if (token.type === 'close') depth -= 1;
    if (token.type === 'or' && depth === 0) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

/** The longest run of characters that every match holds; empty when there is none. */
function requiredLiteral(tokens: readonly PatternToken[]): string {
  let longest = '';
  let run = '';
  let depth = 0;
  const end = () => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.type === 'open') depth += 1;
    if (token.type === 'close') depth -= 1;
    if (depth > 0 || (token.type !== 'character' && token.type !== 'assertion')) end();
    else if (token.type === 'character') {
      const repeat = next?.type === 'quantifier' ? next : undefined;
      if (repeat?.min !== 0) run += token.value;
      if (repeat !== undefined) end();
    }
  }
  end();
  return longest;
}

/**
 * The engine is quick by itself when a match starts with fixed characters. When it starts
 * with something that may go on and on, it tries at every character of the text.
 */
function wantsLiteral(tokens: readonly PatternToken[], literal: string): boolean {
  if (literal === '') return false;
  const first = tokens.findIndex((token) => token.type !== 'assertion' && token.type !== 'open');
  const quantified = tokens[first + 1]?.type === 'quantifier';
  if (tokens[first]?.type === 'character' && !quantified) return false;
  return quantified || literal.length > 2;
}

/** The same expression, unable to match a line feed. */
function keepWithinLine(tokens: readonly PatternToken[], flags: string): string {
  return tokens
    .map((token) => (token.type === 'set' ? within(token.source, flags) : token.source))
    .join('');
}

function within(set: string, flags: string): string {
  if (!new RegExp(set, flags).test('\n')) return set;
  if (set === '.') return '[^\\n]';
  if (set === '\\s') return '[^\\S\\n]';
  // A class that starts with `-` would become a range.
  if (set.startsWith('[^') && set[2] !== '-') return `[^\\n${set.slice(2)}`;
  return `(?:(?!\\n)${set})`;
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
