import groups from './related-words.json' with { type: 'json' };
import { stemWord } from './stem-word.ts';

/** Words that stand for the same thing in programs; each line of the table is one group. */
const related = new Map<string, Set<string>>();
for (const group of groups) {
  const words = group.split(' ');
  for (const word of words) {
    for (const stem of stemWord(word)) {
      const others = related.get(stem) ?? new Set<string>();
      for (const other of words)
        if (other !== word) for (const form of stemWord(other)) others.add(form);
      related.set(stem, others);
    }
  }
}

/**
 * Beginnings of words that mean nearly the same in programs, abbreviations included.
 *
 * @param stems of one word, as `stemWord` gives them
 */
export function relatedWords(stems: readonly string[]): string[] {
  const found = new Set<string>();
  for (const stem of stems) for (const other of related.get(stem) ?? []) found.add(other);
  return [...found].filter((other) => !stems.some((stem) => other.startsWith(stem)));
}
