import { contentWords } from './content-words.ts';

/** BM25's usual constants, the ones of the index: doi:10.1561/1500000019 */
const k1 = 1.2;
const b = 0.75;

/**
 * BM25 of texts that the search index does not have yet, near the scale of the index's own scores,
 * so that both can stand in one list. How rare a word is, is judged by `texts` and `known` together
 * against the number of all rows.
 *
 * @param texts the contexts to score
 * @param known contexts that the index found for the same question; a rare word's rows are all
 *   among them, a frequent word is taken for somewhat rarer than it is
 * @param indexedRows rows of the index, found or not
 * @returns one score per text, 0 when no word of the question is in it
 */
export function scorePending(
  question: string,
  texts: readonly string[],
  known: readonly string[],
  indexedRows: number,
): number[] {
  const asked = [...new Set(contentWords(question))];
  const pending = texts.map(countWords);
  const all = [...pending, ...known.map(countWords)];
  const averageLength = all.reduce((sum, text) => sum + text.length, 0) / Math.max(1, all.length);
  const rows = texts.length + Math.max(indexedRows, known.length);
  const rarity = asked.map((word) => {
    const holders = all.filter((text) => text.counts.has(word)).length;
    return Math.log(1 + (rows - holders + 0.5) / (holders + 0.5));
  });
  return pending.map(({ counts, length }) => {
    const damping = k1 * (1 - b + (b * length) / Math.max(1, averageLength));
    return asked.reduce((score, word, index) => {
      const count = counts.get(word) ?? 0;
      return score + (rarity[index]! * count * (k1 + 1)) / (count + damping);
    }, 0);
  });
}

function countWords(text: string): { counts: ReadonlyMap<string, number>; length: number } {
  const words = contentWords(text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
