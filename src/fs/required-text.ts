import type { ScanOptions } from './fs-types.ts';
import { isLook } from './linear-source.ts';
import { type PatternToken, readPattern } from './read-pattern.ts';

/** What each matching line holds: a text, all of several, or at least one of several. */
export type RequiredText =
  | string
  | { all: readonly RequiredText[] }
  | { any: readonly RequiredText[] };

/**
 * What a line must hold to match, so that files without it need not be searched.
 *
 * @param options with a pattern that the engine takes
 * @returns undefined where nothing is known, as for `\w+`
 */
export function requiredText({
  pattern,
  literal,
}: Pick<ScanOptions, 'pattern' | 'literal'>): RequiredText | undefined {
  if (literal) return pattern;
  const tokens = readPattern(pattern);
  return tokens && readAlternatives(tokens, 0).text;
}

type Read = { text: RequiredText | undefined; end: number };

/** @returns what stands up to the end of the group, and where that is */
function readAlternatives(tokens: readonly PatternToken[], from: number): Read {
  const alternatives: (RequiredText | undefined)[] = [];
  let at = from;
  for (;;) {
    const { text, end } = readSequence(tokens, at);
    alternatives.push(text);
    if (tokens[end]?.type !== 'or') {
      const any = alternatives.filter((each) => each !== undefined);
      if (any.length < alternatives.length) return { text: undefined, end };
      return { text: any.length === 1 ? any[0] : { any }, end };
    }
    at = end + 1;
  }
}

function readSequence(tokens: readonly PatternToken[], from: number): Read {
  const all: RequiredText[] = [];
  let run = '';
  const endRun = (): void => {
    if (run !== '') all.push(run);
    run = '';
  };
  /** What comes next may be absent. */
  const mayBeAbsent = (index: number): boolean => {
    const token = tokens[index];
    return token?.type === 'quantifier' && token.min === 0;
  };
  let at = from;
  for (; at < tokens.length; at += 1) {
    const token = tokens[at] as PatternToken;
    if (token.type === 'or' || token.type === 'close') break;
    if (token.type === 'assertion') continue;
    if (token.type === 'character') {
      if (!mayBeAbsent(at + 1)) run += token.value;
      if (tokens[at + 1]?.type === 'quantifier') endRun();
      continue;
    }
    endRun();
    if (token.type !== 'open') continue;
    const { text, end } = readAlternatives(tokens, at + 1);
    if (text !== undefined && !isLook(token.source) && !mayBeAbsent(end + 1)) all.push(text);
    at = end;
  }
  endRun();
  return { text: all.length < 2 ? all[0] : { all }, end: at };
}
