import type { MemoryHit } from '../../contracts/memory.ts';
import { tells } from './asked-for.ts';
import { isCommonWord, isForeign } from './common-words.ts';
import { holdsAny, wordsOf } from './rated-turns.ts';

/**
 * What a question is plainly about: words with a capital inside of a sentence, in the question or in
 * what was found, times left aside. German writes every noun so, which does no harm. In a question
 * in another language than English all telling words are names, as embedders mostly read English.
 *
 * @returns stems, of those that a hit holds
 */
export function namesOf(question: string, hits: readonly MemoryHit[]): string[] {
  const asked = wordsOf(question).filter((word) => !isCommonWord(word));
  const named = new Set(
    isForeign(question) ? asked : [question, ...hits.map(({ text }) => text)].flatMap(capitalsOf),
  );
  return asked.filter((word) => named.has(word) && hits.some((hit) => holdsAny(hit, [word])));
}

/** Stems of the words that begin with a capital, without the first of each sentence. */
function capitalsOf(text: string): string[] {
  const words = text.match(/(?<=[\p{L}\p{N},;)]['"’)]?\s+)\p{Lu}[\p{L}\p{N}-]*/gu) ?? [];
  return words.filter((word) => !tells('time', word)).flatMap(wordsOf);
}
