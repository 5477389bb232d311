import { cutPassages, type Passage } from './cut-passages.ts';
import { documentFs } from './document-fs.ts';
import { asGuide } from './guide-question.ts';
import { parseQuestion } from './parse-question.ts';
import type { PassageFs } from './passage-fs.ts';
import { type Ranking, rankFiles, type SearchKind } from './rank-files.ts';
import { regionsOf, type ScoredFile } from './regions.ts';

export type FoundPassages = {
  /** best first; the first of a file comes before any worse file's */
  passages: Passage[];
  /** the words that were looked for */
  words: string[];
  /** files that hold any of them */
  total: number;
  /** files that hold any of them and were not searched, because they are not UTF-8 */
  notText?: string[];
  /** what was not searched, in words */
  cut?: string;
};

/** For a ranking that follows: more files, and of each what it may be ranked by. */
export type WidePassages = FoundPassages & {
  /** best first; `passages` has some of each of them */
  files: ScoredFile[];
  /** the text asks nothing; it tells what is wrong or is to change */
  told?: true;
};

/** Files that are shown when there are so many, and passages of the best ones. */
const maxFiles = 8;
const passagesOfRank = [3, 2, 2];

/**
 * The passages of a tree that answer a question best, without an index.
 *
 * @param root folder to look below
 * @param limit passages, at least 1
 * @param kind of files that are looked at
 */
export function findPassages(
  files: PassageFs,
  root: string,
  asked: string,
  limit: number,
  kind: SearchKind = 'all',
): FoundPassages {
  const question =
    kind === 'documents' ? asGuide(parseQuestion(asked), asked) : parseQuestion(asked);
  const words = question.terms.map((term) => term.word);
  if (words.length === 0) return { passages: [], words, total: 0 };
  const searched = kind === 'documents' ? documentFs(files) : files;
  const ranking = rankFiles(searched, root, question, asked, kind);
  const cut = ranking.files
    .slice(0, Math.max(maxFiles, limit))
    .map((file, rank) => cutPassages(file, ranking.weights, passagesOfRank[rank] ?? 1));
  const { total } = ranking;
  return { passages: choose(withoutCopies(cut), limit), words, total, ...leftBy(ranking) };
}

/**
 * All files that were read, each with its best passages: what is shown of them is chosen by
 * whoever ranks them again.
 */
export function findWide(files: PassageFs, root: string, asked: string): WidePassages {
  const question = parseQuestion(asked);
  const words = question.terms.map((term) => term.word);
  if (words.length === 0) return { passages: [], words, total: 0, files: [] };
  const ranking = rankFiles(files, root, question, asked);
  const passages = ranking.files.flatMap((file) =>
    cutPassages(file, ranking.weights, passagesOfRank[0] ?? 1),
  );
  const { total } = ranking;
  const scored = ranking.files.map(regionsOf);
  const told = question.told ? { told: true as const } : {};
  return { passages, words, total, ...leftBy(ranking), files: scored, ...told };
}

/** Files whose best passage stands in a better one word by word are copies of it, of another version. */
function withoutCopies(cut: readonly Passage[][]): Passage[][] {
  const seen = new Set<string>();
  return cut.filter(([best]) => {
    const isCopy = best !== undefined && seen.has(best.text);
    if (best !== undefined) seen.add(best.text);
    return !isCopy;
  });
}

function leftBy({ notText, cut }: Ranking): Pick<FoundPassages, 'notText' | 'cut'> {
  return {
    ...(notText.length === 0 ? {} : { notText }),
    ...(cut === undefined ? {} : { cut }),
  };
}

/** The best of each file in the files' order, then what room is left for second ones. */
function choose(cut: readonly (readonly Passage[])[], limit: number): Passage[] {
  const firsts = cut
    .flatMap((passages) => passages.slice(0, 1))
    .slice(0, Math.min(limit, maxFiles));
  const paths = new Set(firsts.map((passage) => passage.path));
  const others = cut
    .flatMap((passages) => passages.slice(1))
    .filter((passage) => paths.has(passage.path))
    .sort((left, right) => right.score - left.score)
    .slice(0, Math.max(0, limit - firsts.length));
  return [...firsts, ...others].sort((left, right) => right.score - left.score);
}
