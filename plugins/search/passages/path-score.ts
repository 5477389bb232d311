import { splitIdentifier, type Term } from './parse-question.ts';
import type { TermWeights } from './term-weights.ts';
import { tuning } from './tuning.ts';

/** What the words of a path add: those of the file's name more than those of its folders. */
export function pathScore(path: string, terms: readonly Term[], weights: TermWeights): number {
  const folders = path.split('/');
  const name = (folders.pop() ?? '').replace(/\.\w+$/, '');
  const inName = lowerParts(name);
  const inFolders = folders.flatMap(lowerParts);
  let score = 0;
  for (const [index, term] of terms.entries()) {
    const own = weights.idf[index] ?? 0;
    const other = (weights.aliasIdf[index] ?? 0) / 2;
    if (holds(inName, term.forms)) score += tuning.nameWord * own;
    else if (holds(inName, term.aliases)) score += tuning.nameWord * other;
    else if (holds(inFolders, term.forms)) score += tuning.folderWord * own;
    else if (holds(inFolders, term.aliases)) score += tuning.folderWord * other;
  }
  return score;
}

function lowerParts(name: string): string[] {
  return splitIdentifier(name).map((part) => part.toLowerCase());
}

function holds(parts: readonly string[], forms: readonly string[]): boolean {
  return parts.some((part) => forms.some((form) => part.startsWith(form)));
}
