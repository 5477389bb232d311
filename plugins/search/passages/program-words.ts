import table from './program-words.json' with { type: 'json' };
import { stemWord } from './stem-word.ts';

/**
 * Words of everyday speech, and the words that programs have for the same: the likeliest
 * first. One way only: who asks for `detect` does not mean `told`.
 */
const known = new Map<string, string[]>();
for (const [word, others] of Object.entries(table)) {
  const forms = others.split(' ').flatMap((other) => stemWord(other).slice(0, 2));
  for (const stem of stemWord(word)) known.set(stem, [...(known.get(stem) ?? []), ...forms]);
}

/**
 * Beginnings of the words that programs have for an everyday word, the likeliest first.
 *
 * @param stems of one word, as `stemWord` gives them
 */
export function programWords(stems: readonly string[]): string[] {
  return [...new Set(stems.flatMap((stem) => known.get(stem) ?? []))];
}
