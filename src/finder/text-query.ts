import type { RequiredText } from '../fs/required-text.ts';

/** Longer expressions take longer than the files that they leave out. */
const maxCharacters = 20_000;
/** Those at the start of a text tell it from nearly all others. */
const maxTrigrams = 24;
/** Of more, every third trigram is asked for, which covers a text: all of them would take longer. */
const fewLiterals = 6;

/**
 * An expression of trigrams that each text with a match fulfils, and some others.
 *
 * @param folds the search takes capital letters for small ones
 * @returns undefined where nothing can be asked for
 */
export function textQuery(required: RequiredText | undefined, folds: boolean): string | undefined {
  if (required === undefined) return undefined;
  const step = literalsOf(required) > fewLiterals ? 3 : 1;
  const query = expressionOf(required, { folds, step });
  return query === undefined || query.length > maxCharacters ? undefined : query;
}

function literalsOf(required: RequiredText): number {
  if (typeof required === 'string') return 1;
  const parts = 'all' in required ? required.all : required.any;
  return parts.reduce((sum, each) => sum + literalsOf(each), 0);
}

type How = { folds: boolean; step: number };

function expressionOf(required: RequiredText, how: How): string | undefined {
  if (typeof required === 'string') return trigramsOf(required, how);
  if ('all' in required) {
    const parts = required.all.flatMap((each) => expressionOf(each, how) ?? []);
    return parts.length === 0 ? undefined : `(${parts.join(' AND ')})`;
  }
  const parts = required.any.map((each) => expressionOf(each, how));
  return parts.includes(undefined) ? undefined : `(${parts.join(' OR ')})`;
}

/** Letters that a search in any case may take for others than the index does; see `readFileWords()`. */
const unsure = /[^\0-\x7f]/;
const mark = /\p{M}|\0/u;

function trigramsOf(text: string, { folds, step }: How): string | undefined {
  const characters = [...text];
  const all: string[] = [];
  for (let at = 0; at + 3 <= characters.length; at += 1) {
    const trigram = characters.slice(at, at + 3).join('');
    if (!mark.test(trigram) && !(folds && unsure.test(trigram))) all.push(trigram);
  }
  const asked = all
    .filter((_, at) => at % step === 0 || at === all.length - 1)
    .slice(0, maxTrigrams);
  if (asked.length === 0) return undefined;
  const quoted = asked.map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
  return `(${[...new Set(quoted)].join(' AND ')})`;
}
