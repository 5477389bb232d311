import type { RequiredText } from '../fs/required-text.ts';

/** Longer expressions take longer than the files that they leave out. */
const maxCharacters = 20_000;

/**
 * An expression of trigrams that each text with a match fulfils, and some others.
 *
 * @param folds the search takes capital letters for small ones
 * @returns undefined where nothing can be asked for
 */
export function textQuery(required: RequiredText | undefined, folds: boolean): string | undefined {
  const query = required === undefined ? undefined : expressionOf(required, folds);
  return query === undefined || query.length > maxCharacters ? undefined : query;
}

function expressionOf(required: RequiredText, folds: boolean): string | undefined {
  if (typeof required === 'string') return trigramsOf(required, folds);
  if ('all' in required) {
    const parts = required.all.flatMap((each) => expressionOf(each, folds) ?? []);
    return parts.length === 0 ? undefined : `(${parts.join(' AND ')})`;
  }
  const parts = required.any.map((each) => expressionOf(each, folds));
  return parts.includes(undefined) ? undefined : `(${parts.join(' OR ')})`;
}

/** Letters that a search in any case may take for others than the index does; see `readFileWords()`. */
const unsure = /[^\0-\x7f]/;
const mark = /\p{M}|\0/u;

function trigramsOf(text: string, folds: boolean): string | undefined {
  const characters = [...text];
  const all: string[] = [];
  for (let at = 0; at + 3 <= characters.length; at += 1) {
    const trigram = characters.slice(at, at + 3).join('');
    if (!mark.test(trigram) && !(folds && unsure.test(trigram))) all.push(trigram);
  }
  // Every third of them covers the text.
  const asked =
    folds && unsure.test(text) ? all : all.filter((_, at) => at % 3 === 0 || at === all.length - 1);
  if (asked.length === 0) return undefined;
  const quoted = asked.map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
  return `(${[...new Set(quoted)].join(' AND ')})`;
}
