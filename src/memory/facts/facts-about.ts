import type { MemoryRow } from '../../contracts/memory.ts';
import { contentWords } from '../content-words.ts';

/** The facts whose text has all words of `about`; one that says just this alone. */
export function factsAbout(about: string, facts: readonly MemoryRow[]): MemoryRow[] {
  const wanted = new Set(contentWords(about));
  if (wanted.size === 0) return [];
  const found = facts.filter(({ record }) => wanted.isSubsetOf(new Set(contentWords(record.text))));
  const same = found.find(({ record }) => contentWords(record.text).length === wanted.size);
  return same === undefined ? found : [same];
}
