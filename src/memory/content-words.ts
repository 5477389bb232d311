import { stemWord, stopWords } from '../lib/text/words.ts';

/**
 * The words of a text that carry meaning, as full-text search sees them: lower case, Latin
 * letters without accents, split at everything that is not a letter or digit, without stop words, lightly stemmed.
 * In text order, repeats kept.
 */
export function contentWords(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(text)) {
    if (word.length <= maxWordLength && !stopWords.has(word)) words.push(stemWord(word));
  }
  return words;
}

function splitWords(text: string): readonly string[] {
  // the usual case, five times as fast
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = spaceWords(text)
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFKC')
    .toLowerCase();
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/**
 * Puts spaces between the words of scripts that are written without them; other text stays as it
 * is. The index splits at spaces and punctuation alone, so without this a Chinese or Thai sentence
 * would be one word that no question matches.
 */
export function spaceWords(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(unspacedRun, (run: string, offset: number) => {
    const segments = segmenter().segment(run);
    const words = Array.from(segments, ({ segment }) => segment).join(' ');
    // Adds no second space, so that a second run changes nothing.
    const before = text[offset - 1] === ' ' ? '' : ' ';
    const after = text[offset + run.length] === ' ' ? '' : ' ';
    return before + words + after;
  });
}

/** the longest token that the index keeps */
const maxWordLength = 40;

const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]{2,}/gu;

let shared: Intl.Segmenter | undefined;
function segmenter(): Intl.Segmenter {
  // made when first needed: it loads its dictionaries
  shared ??= new Intl.Segmenter('und', { granularity: 'word' });
  return shared;
}
