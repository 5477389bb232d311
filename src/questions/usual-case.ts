import { stopWords } from '../lib/text/words.ts';
import { isKindWord } from './read-rows.ts';

/** Written with a capital, and no part of a path or of a name of code. */
const capitals = /(?<![\p{L}\p{N}_./@#:-])\p{Lu}[\p{L}'’]*(?![\p{L}\p{N}_/@#:(-]|\.\p{L})/gu;
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
  const isShouted = [...plain.matchAll(capitals)].some(
    ({ 0: word, index }) =>
      word.length > 1 &&
      word !== 'May' &&
      stopWords.has(word.toLowerCase()) &&
      (word === word.toUpperCase() || !isBegun.test(plain.slice(0, index))),
  );
  if (!isShouted) return plain;
  return plain.replace(capitals, (word) => {
    const small = word.toLowerCase();
    return small !== 'i' && (stopWords.has(small) || isKindWord(small)) ? small : word;
  });
}
