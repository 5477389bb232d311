import { contentWords } from '../content-words.ts';

/** BM25's usual constants, the ones of the index: doi:10.1561/1500000019 */
const k1 = 1.2;
const b = 0.75;

/**
 * BM25 of texts that the search index does not have yet, on the scale of the index's own scores, so
 * that both can stand in one list. The best rows that the index found are scored here as well, and
 * what the index gave them beyond that is given to the pending texts too.
 *
 * @param texts the contexts to score
 * @param known contexts that the index found for the same question with their scores, best first
 * @param indexedRows rows of the index, found or not
 * @returns one score per text, 0 when no word of the question is in it
 */
export function scorePending(
  question: string,
  texts: readonly string[],
  known: readonly { context: string; bm25: number }[],
  indexedRows: number,
): number[] {
  const asked = [...new Set(contentWords(question))];
  const pending = texts.map(countWords);
  const found = known.map(({ context }) => countWords(context));
  const score = scorer(asked, [...pending, ...found], texts.length + indexedRows);
  const here = sum(found.map(score));
  const there = sum(known.map(({ bm25 }) => bm25));
  const scale = here > 0 ? there / here : 1;
  return pending.map((text) => scale * score(text));
}

export function sharesWord(question: string, texts: readonly string[]): boolean {
  const asked = contentWords(question);
  return texts.some((text) => {
    const { counts } = countWords(text);
    return asked.some((word) => counts.has(word));
  });
}

type CountedText = { counts: ReadonlyMap<string, number>; length: number };

/** @param rows number of texts there are; those with a rare word are all in `sample` */
function scorer(
  asked: readonly string[],
  sample: readonly CountedText[],
  rows: number,
): (text: CountedText) => number {
  const averageLength = sum(sample.map(({ length }) => length)) / sample.length;
  const rarity = asked.map((word) => {
    const holders = sample.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (Math.max(rows, sample.length) - holders + 0.5) / (holders + 0.5));
  });
  return ({ counts, length }) => {
    const damping = k1 * (1 - b + (b * length) / averageLength);
    return sum(
      asked.map((word, index) => {
        const count = counts.get(word) ?? 0;
        return (rarity[index]! * count * (k1 + 1)) / (count + damping);
      }),
    );
  };
}

function countWords(text: string): CountedText {
  const words = contentWords(text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
