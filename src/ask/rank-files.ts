import type { Likenesses } from '../contracts/embedder.ts';
import { largest } from '../lib/numbers.ts';
import { meaningSigns } from './meaning-signs.ts';
import type { WideFile } from './wide-file.ts';

/** What the search for passages found by words, with the lines that may be ranked again. */
export type WideFindings = {
  passages: Passage[];
  /** of the question */
  words?: string[];
  /** files that hold any of them and were not searched, because they are not UTF-8 */
  notText?: string[];
  files: WideFile[];
  /** the text asks nothing; it tells what is wrong or is to change */
  told?: boolean;
};

type Passage = { path: string; score: number };

/**
 * The weight of meaning, in the unit of words: a file with e times fewer of the words loses
 * `words`. Fitted by tests/bench/fit-order.ts together with what the search for passages orders by.
 */
const weightsOfAsked = { words: 5, blocks: 3, outline: 1.3, nearest: 6.1 };
/**
 * For a text that asks nothing, such as a report: one block alone seldom does what it tells. See
 * tests/bench/notes/ranking.md.
 */
const weightsOfTold = { words: 5, blocks: 0.5, outline: 1.2, nearest: 1 };
/**
 * What the likeness of the pieces counts that an index has, and what is left then of that of
 * the blocks, which are pieces of the same files cut otherwise. Chosen on the tuning half with
 * three embedders, the one that comes along, all-MiniLM-L6-v2 and bge-small-en-v1.5: all find more
 * with little left of the blocks, and from 1.3 to 4 of the pieces is much the same.
 */
const piecesWeight = 2;
const blocksBesideIndex = 0.25;
/** The share of the words assumed for a file that only the index knows. */
const wordsOfNone = 0.25;
/** Files that are shown, passages of the best ones, and passages of all. */
const maxFiles = 8;
const passagesOfRank = [3, 2, 2];
const maxPassages = 12;

/** Likeness of files by their paths, from the index; files outside the index are missing. */
export type IndexedLikeness = ReadonlyMap<string, number>;

/**
 * Files by words and by likeness to the question in several ways, each as a share of the
 * best, best first.
 *
 * @param indexed likeness of each file's best piece, where there is an index
 * @returns scores above 0, 1 for the best
 */
export function rankFiles(
  found: WideFindings,
  likenesses: Likenesses,
  indexed?: IndexedLikeness,
): RankedFile[] {
  const weights = found.told === true ? weightsOfTold : weightsOfAsked;
  const signs = found.files.map((file) => meaningSigns(file, likenesses));
  const most = (values: readonly number[]) => largest(values, Number.MIN_VALUE);
  const best = {
    words: most(found.files.map(({ score }) => score)),
    blocks: most(signs.map(({ blocks }) => blocks)),
    outline: most(signs.map(({ outline }) => outline)),
    nearest: most(signs.map(({ nearest }) => nearest)),
    pieces: most([...(indexed?.values() ?? [])]),
  };
  const hasIndex = indexed !== undefined && best.pieces > Number.MIN_VALUE;
  const sums = found.files.map(({ path, score }, at) => {
    const { blocks, outline, nearest } = signs[at] as (typeof signs)[number];
    const piece = hasIndex ? Math.max(0, indexed.get(path) ?? 0) / best.pieces : 0;
    return (
      weights.words * Math.log(score > 0 ? score / best.words : wordsOfNone) +
      (hasIndex ? blocksBesideIndex : weights.blocks) * (blocks / best.blocks) +
      weights.outline * (outline / best.outline) +
      weights.nearest * (nearest / best.nearest) +
      piecesWeight * piece
    );
  });
  const top = largest(sums);
  const scored = found.files.map(({ path }, at) => ({
    path,
    score: Math.exp(((sums[at] as number) - top) / weights.words),
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
  const mostWords = largest(
    found.files.map(({ score }) => score),
    Number.MIN_VALUE,
  );
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

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
