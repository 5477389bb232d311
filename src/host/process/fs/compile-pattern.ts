import { HostFailure } from '../host-failure.ts';
import { fsLimits } from './fs-limits.ts';
import { showPath } from './parse-path.ts';
import { type PatternToken, readPattern } from './read-pattern.ts';

/** How a text is searched for the lines that match. */
export type LinePattern = {
  /**
   * Global. Run over a whole text it finds a place in every line that matches, and perhaps
   * in others.
   */
  finder: RegExp;
  /** decides about a line of its own, without its end; undefined: the finder is exact */
  line: RegExp | undefined;
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
  if (/[\n\r]/.test(pattern)) {
    const text = `pattern ${showPath(pattern)} holds a line break; lines are matched one by one`;
    throw new HostFailure('invalid', text);
  }
  const flags = options.caseInsensitive ? 'giu' : 'g';
  return { finder: new RegExp(escapeLiteral(pattern), flags), line: undefined };
}

function compileExpression(pattern: string, fold: string): LinePattern {
  const line = compileLine(pattern, fold);
  return { finder: findFinder(pattern, line.flags), line };
}

/** With flag `u` where the pattern allows it: then `.` is a character, not half of one. */
function compileLine(pattern: string, fold: string): RegExp {
  try {
    return new RegExp(pattern, `u${fold}`);
  } catch {
    // Older syntax such as `\-` is an error with `u` alone.
  }
  try {
    return new RegExp(pattern, fold);
  } catch (thrown) {
    throw patternFailure(pattern, thrown);
  }
}

/** @param thrown what the engine said: `Invalid regular expression: /x(/: Unterminated group` */
export function patternFailure(pattern: string, thrown: unknown): HostFailure {
  const message = thrown instanceof Error ? thrown.message : '';
  const reason = message.slice(message.lastIndexOf(': ') + 2) || 'unknown';
  const text = `pattern ${showPath(pattern)} is no regular expression: ${reason}`;
  return new HostFailure('invalid', text);
}

/** One place in every line; for patterns of which nothing is known. */
const everyLine = () => /^/gm;

function findFinder(pattern: string, flags: string): RegExp {
  const tokens = readPattern(pattern);
  if (tokens === undefined) return everyLine();
  const alternatives = splitAlternatives(tokens);
  const literals = alternatives.map(requiredLiteral);
  if (alternatives.every((tokens, index) => wantsLiteral(tokens, literals[index]!))) {
    return new RegExp(literals.map(escapeLiteral).join('|'), `g${flags}`);
  }
  return new RegExp(keepWithinLine(tokens, flags), `gm${flags}`);
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
  if (set === '\\s') return '[^\\S\\n]';
  // A class that starts with `-` would become a range.
  if (set.startsWith('[^') && set[2] !== '-') return `[^\\n${set.slice(2)}`;
  return `(?:(?!\\n)${set})`;
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
