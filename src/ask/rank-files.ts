import type { Likeness } from '../contracts/likeness.ts';
import { cutBlocks } from './cut-blocks.ts';

/** What the search for passages found by words, with the lines that may be ranked again. */
export type WideFindings = {
  passages: Passage[];
  files: { path: string; score: number; regions: { text: string }[] }[];
};

type Passage = { path: string; score: number };

/**
 * What likeness counts beside words. Chosen on questions that the published figure leaves out
 * and on others about libraries in Python, Go and TypeScript; .25 to .4 are as good.
 */
const alpha = 0.33;
/**
 * What both count beside the likeness of the pieces that an index has; chosen as above. With the
 * embedder that comes along; those of sentence models are used alike.
 */
const alphaBesideIndex = 0.25;
const indexShare = 0.15;
/** Blocks of a file whose likeness is taken as the file's: one alone says less. */
const blocksCounted = 3;
/** Files that are shown, passages of the best ones, and passages of all. */
const maxFiles = 8;
const passagesOfRank = [3, 2, 2];
const maxPassages = 12;

/** What an index says of files, by their paths; a file that it does not have is not in it. */
export type IndexedLikeness = ReadonlyMap<string, number>;

/**
 * Files by words and by likeness to the question, each as a share of the best, best first.
 *
 * @param indexed likeness of each file's best piece, where there is an index
 * @returns scores of at most 1
 */
export function rankFiles(
  found: WideFindings,
  likeness: Likeness,
  indexed?: IndexedLikeness,
): RankedFile[] {
  const liked = found.files.map((file) => ({ ...file, liked: likenessOf(file, likeness) }));
  const mostWords = Math.max(...liked.map(({ score }) => score), Number.MIN_VALUE);
  const mostLiked = Math.max(...liked.map((file) => file.liked), Number.MIN_VALUE);
  const mostIndexed = Math.max(0, ...(indexed?.values() ?? []));
  const hasIndex = indexed !== undefined && mostIndexed > 0;
  const likedShare = hasIndex ? alphaBesideIndex : alpha;
  const pieceShare = hasIndex ? indexShare : 0;
  const scored = liked.map((file) => ({
    path: file.path,
    score:
      (1 - likedShare - pieceShare) * (file.score / mostWords) +
      likedShare * (file.liked / mostLiked) +
      (hasIndex ? pieceShare * (Math.max(0, indexed.get(file.path) ?? 0) / mostIndexed) : 0),
  }));
  return scored.sort((left, right) => right.score - left.score);
}

export type RankedFile = { path: string; score: number };

/**
 * The passages of the best files.
 *
 * @param ranked best first
 * @returns passages, best first, their scores on the scale of the words' scores
 */
export function choosePassages<Found extends WideFindings>(
  found: Found,
  ranked: readonly RankedFile[],
): Found['passages'] {
  const mostWords = Math.max(...found.files.map(({ score }) => score), Number.MIN_VALUE);
  const cut = ranked.slice(0, maxFiles).map((file, rank) => {
    const own = found.passages.filter(({ path }) => path === file.path);
    const best = own[0]?.score ?? 1;
    return own.slice(0, passagesOfRank[rank] ?? 1).map((passage) => ({
      ...passage,
      score: round((file.score * mostWords * passage.score) / best),
    }));
  });
  return choose(cut);
}

/** The best of each file, then what room is left for second ones. */
function choose<Found extends Passage>(cut: readonly (readonly Found[])[]): Found[] {
  const firsts = cut.flatMap((passages) => passages.slice(0, 1));
  const others = cut
    .flatMap((passages) => passages.slice(1))
    .sort(byScore)
    .slice(0, Math.max(0, maxPassages - firsts.length));
  return [...firsts, ...others].sort(byScore);
}

function byScore(left: Passage, right: Passage): number {
  return right.score - left.score;
}

function likenessOf(file: WideFindings['files'][number], likeness: Likeness): number {
  const best = file.regions
    .flatMap(({ text }) => cutBlocks(text))
    .map(likeness)
    .sort((left, right) => right - left)
    .slice(0, blocksCounted);
  return Math.max(0, best.reduce((sum, one) => sum + one, 0) / blocksCounted);
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
