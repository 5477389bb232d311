import { splitIdentifier, type Term } from './parse-question.ts';
import type { TermWeights } from './term-weights.ts';
import { tuning } from './tuning.ts';

/** Names that say nothing: the folder's is the file's name then. */
const plainName = /^(?:index|mod|main|lib|__init__|init)$/;

/** For one part of a name: the terms whose forms, and the columns whose aliases, it begins with. */
type PartTerms = { forms: readonly number[]; aliases: readonly number[] };

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
  // Trees repeat their names: each segment and each part of one is looked at once.
  const partsOfSegment = remember(lowerParts);
  const termsOfPart = remember((part) => findTerms(part, terms));
  const parts = new Map(paths.map((path) => [path, partsOf(path, partsOfSegment)]));
  const holding = terms.map(() => 0);
  for (const { name } of parts.values()) {
    for (const term of new Set(name.flatMap((part) => termsOfPart(part).forms))) {
      holding[term] = (holding[term] ?? 0) + 1;
    }
  }
  const value = terms.map((term, index) => {
    const names = holding[index] ?? 0;
    const rarity = Math.log(1 + (parts.size - names + 0.5) / (names + 0.5));
    const own = weights.idf[index] ?? 0;
    return (1 - tuning.pathRarity) * own + tuning.pathRarity * term.weight * rarity;
  });
  return (path) => {
    const known = parts.get(path) ?? partsOf(path, partsOfSegment);
    return scorePath(known, termsOfPart, weights, value);
  };
}

function scorePath(
  { name, folders }: PathParts,
  termsOfPart: (part: string) => PartTerms,
  weights: TermWeights,
  value: readonly number[],
): number {
  const best = new Map<number, number>();
  const found = new Set<string>();
  const add = (parts: readonly string[], weight: number, isName: boolean) => {
    for (const part of parts) {
      const { forms, aliases } = termsOfPart(part);
      if (isName && forms.length + aliases.length > 0) found.add(part);
      for (const term of forms) raise(best, term, weight * (value[term] ?? 0));
      for (const column of aliases) {
        const term = weights.aliasTerm[column] ?? 0;
        const other = Math.min(value[term] ?? 0, weights.aliasIdf[column] ?? 0);
        raise(best, term, weight * tuning.pathAlias * other);
      }
    }
  };
  add(name, tuning.nameWord, true);
  add(folders, tuning.folderWord, false);
  let score = 0;
  for (const gain of best.values()) score += gain;
  const all = new Set(name).size;
  return all === 0 ? score : score * (1 + tuning.nameShare * (found.size / all - 0.5));
}

function raise(best: Map<number, number>, term: number, gain: number): void {
  if (gain > (best.get(term) ?? 0)) best.set(term, gain);
}

function findTerms(part: string, terms: readonly Term[]): PartTerms {
  const begun = (forms: readonly string[]) => forms.some((form) => part.startsWith(form));
  const forms: number[] = [];
  const aliases: number[] = [];
  let column = 0;
  for (const [index, term] of terms.entries()) {
    const isForm = begun(term.forms);
    if (isForm) forms.push(index);
    for (const [at, alias] of term.aliases.entries()) {
      if (!isForm && part.startsWith(alias)) aliases.push(column + 1 + at);
    }
    column += 1 + term.aliases.length;
  }
  return { forms, aliases };
}

function partsOf(path: string, partsOfSegment: (segment: string) => readonly string[]): PathParts {
  const folders = path.split('/');
  let name = (folders.pop() ?? '').replace(/(?:\.d)?\.\w+$/, '');
  if (plainName.test(name) && folders.length > 0) name = folders.pop() as string;
  return { name: partsOfSegment(name), folders: folders.flatMap((one) => partsOfSegment(one)) };
}

function lowerParts(name: string): string[] {
  return splitIdentifier(name).map((part) => part.toLowerCase());
}

function remember<Value>(make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}
