import { stopWords } from '../lib/text/words.ts';
import { isKindWord } from './read-rows.ts';
import { isList } from './words/as-list.ts';

/** Written with a capital, and no part of a path or of a name of code. */
const capitals = /(?<![\p{L}\p{N}_./@#:-])\p{Lu}[\p{L}'’]*(?![\p{L}\p{N}_/@#:(-]|\.\p{L})/gu;
const words = new RegExp(capitals.source.replace('\\p{Lu}', '\\p{L}'), 'gu');
/** At the beginning of a sentence any word has one. */
const isBegun = /(?:^|[.!?:]\s+)["'“]?$/;

const longest = 200;

/**
 * A question whose little words have capitals says nothing by them: `WHO WROTE THIS?`, `Where Are
 * The Tests?`. Then all words that kinds of questions are told by are in small letters; names stay.
 */
export function inUsualCase(text: string): string {
  // A word alone is a name, and a long text is told to a reader.
  if (!/\s/.test(text) || text.includes('\n') || text.length > longest) return text;
  // `PDF files` go by their endings.
  const plain = text.replace(/(?<![\w.-])[A-Z]{2,5}(?= files\b)/g, (word) => word.toLowerCase());
  const all = (plain.match(words) ?? []).filter((word) => !/\p{Ll}\p{Lu}/u.test(word));
  const isTitle = all.every((word) => /^\p{Lu}/u.test(word));
  const isShouted =
    (isTitle && all.every((word) => isOfQuestion(word.toLowerCase()))) ||
    [...plain.matchAll(capitals)].some(
      ({ 0: word, index }) =>
        word.length > 1 &&
        word !== 'May' &&
        stopWords.has(word.toLowerCase()) &&
        (word === word.toUpperCase() || !isBegun.test(plain.slice(0, index))),
    );
  if (!isShouted) return plain;
  // Where no word has a small letter, capitals mark none of them.
  const isAll = !/\p{Ll}/u.test(all.join('')) || (isTitle && isList(plain));
  return plain.replace(capitals, (word) => {
    const small = word.toLowerCase();
    if (isAll) return small;
    return small !== 'i' && isOfQuestion(small) ? small : word;
  });
}

function isOfQuestion(word: string): boolean {
  return stopWords.has(word) || isKindWord(word);
}
