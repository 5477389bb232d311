import { splitIdentifier, type Term } from './parse-question.ts';
import type { TermWeights } from './term-weights.ts';
import { tuning } from './tuning.ts';

/** Names that say nothing: the folder's is the file's name then. */
const plainName = /^(?:index|mod|main|lib|__init__|init)$/;

type PathParts = { name: readonly string[]; folders: readonly string[] };

/**
 * What the words of a path add: those of the file's name more than those of its folders,
 * rare ones among the names more than common ones.
 *
 * @param paths of all files that hold a word of the question
 */
export function createPathScorer(
  paths: readonly string[],
  terms: readonly Term[],
  weights: TermWeights,
): (path: string) => number {
  const parts = new Map(paths.map((path) => [path, partsOf(path)]));
  const value = terms.map((term, index) => {
    let holding = 0;
    for (const { name } of parts.values()) if (holds(name, term.forms)) holding += 1;
    const rarity = Math.log(1 + (parts.size - holding + 0.5) / (holding + 0.5));
    const own = weights.idf[index] ?? 0;
    return (1 - tuning.pathRarity) * own + tuning.pathRarity * term.weight * rarity;
  });
  return (path) => scorePath(parts.get(path) ?? partsOf(path), terms, weights, value);
}

function scorePath(
  { name, folders }: PathParts,
  terms: readonly Term[],
  weights: TermWeights,
  value: readonly number[],
): number {
  let score = 0;
  const found = new Set<string>();
  for (const [index, { forms, aliases }] of terms.entries()) {
    const own = value[index] ?? 0;
    const other = tuning.pathAlias * Math.min(own, weights.aliasIdf[index] ?? 0);
    if (holds(name, forms, found)) score += tuning.nameWord * own;
    else if (holds(name, aliases, found)) score += tuning.nameWord * other;
    else if (holds(folders, forms)) score += tuning.folderWord * own;
    else if (holds(folders, aliases)) score += tuning.folderWord * other;
  }
  const all = new Set(name).size;
  return all === 0 ? score : score * (1 + tuning.nameShare * (found.size / all - 0.5));
}

function partsOf(path: string): PathParts {
  const folders = path.split('/');
  let name = (folders.pop() ?? '').replace(/(?:\.d)?\.\w+$/, '');
  if (plainName.test(name) && folders.length > 0) name = folders.pop() as string;
  return { name: lowerParts(name), folders: folders.flatMap(lowerParts) };
}

function lowerParts(name: string): string[] {
  return splitIdentifier(name).map((part) => part.toLowerCase());
}

/** @param found takes the parts that match */
function holds(parts: readonly string[], forms: readonly string[], found?: Set<string>): boolean {
  let any = false;
  for (const part of parts) {
    if (!forms.some((form) => part.startsWith(form))) continue;
    any = true;
    found?.add(part);
  }
  return any;
}
