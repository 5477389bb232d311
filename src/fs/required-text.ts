import type { ScanOptions } from './fs-types.ts';
import { isLook, type PatternToken, readPattern } from './linear-source.ts';
/** What every matching line holds: one text, all texts of a list, or at least one of them. */
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

/** Spellings of one run of characters, as `header` and `headers`. */
const maxSpellings = 24;

function readSequence(tokens: readonly PatternToken[], from: number): Read {
  const all: RequiredText[] = [];
  let run = [''];
  const endRun = (): void => {
    const known = run.length === 1 ? run[0] : { any: run };
    if (!run.includes('') && known !== undefined) all.push(known);
    run = [''];
  };
  /** What comes next may be absent. */
  const mayBeAbsent = (index: number): boolean => {
    const token = tokens[index];
    return token?.type === 'quantifier' && token.min === 0;
  };
  /** One of some characters comes next, as often as the token behind it says. */
  const goOn = (characters: readonly string[], behind: PatternToken | undefined): void => {
    const { min, max } = behind?.type === 'quantifier' ? behind : { min: 1, max: 1 };
    const next = min === 0 ? ['', ...characters] : characters;
    if (max > 1 && min === 0) endRun();
    else {
      if (run.length * next.length > maxSpellings) endRun();
      run = run.flatMap((before) => next.map((character) => before + character));
      if (max > 1) endRun();
    }
  };
  let at = from;
  for (; at < tokens.length; at += 1) {
    const token = tokens[at] as PatternToken;
    if (token.type === 'or' || token.type === 'close') break;
    if (token.type === 'assertion') continue;
    const characters = charactersOf(token);
    if (characters !== undefined) {
      goOn(characters, tokens[at + 1]);
      continue;
    }
    if (token.type === 'quantifier' && charactersOf(tokens[at - 1]) !== undefined) continue;
    endRun();
    if (token.type !== 'open') continue;
    const { text, end } = readAlternatives(tokens, at + 1);
    if (text !== undefined && !isLook(token.source) && !mayBeAbsent(end + 1)) all.push(text);
    at = end;
  }
  endRun();
  return { text: all.length < 2 ? all[0] : { all }, end: at };
}

/** The characters of a token that can be written out, as of `[_-]`. */
function charactersOf(token: PatternToken | undefined): string[] | undefined {
  if (token?.type === 'character') return [token.value];
  const inside = /^\[([\w.:-]{1,4})\]$/.exec(token?.source ?? '')?.[1];
  return inside === undefined || /.-./.test(inside) ? undefined : [...inside];
}
