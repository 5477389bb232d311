import { type Batch, type PieceCounts, trainBatch } from './train-batch.ts';

export type PairPieces = { comment: PieceCounts; code: PieceCounts };

export type Training = {
  /** of a row */
  dimensions: number;
  /** pairs are shown so often */
  rounds: number;
  /** pieces of phrases with which people ask; one goes in front of each comment */
  phrases: readonly PieceCounts[];
  /** from 0 to 1 */
  random(): number;
  onStep(step: number, steps: number, loss: number): void;
};

/** Pairs of a batch, and how many of them come from one package: the others are what is wrong. */
const batchPairs = 512;
const ofPackage = 128;
/** A package that gives fewer teaches to tell packages apart, which no question asks. */
const fewestOfPackage = 8;
/** The rate of the first step; it falls evenly to zero. Half and twice the rate find less. */
const rate = 1e-3;
/** Adam's memory of slopes and of their squares; one square stands for a row. */
const [slopeMemory, squareMemory] = [0.9, 0.99];

/**
 * Trains rows until the sum of a comment's rows points where the sum of its own code's rows does,
 * rather than to other code of the batch, beside what the words that both share tell anyway.
 *
 * @param rows of `dimensions` each; changed in place, first by one factor, so that
 *   the root mean square of their lengths is 1
 * @param packages pairs by the package they come from
 * @param rarity by row
 */
export function trainRows(
  rows: Float32Array,
  packages: readonly (readonly PairPieces[])[],
  rarity: Float32Array,
  { dimensions, rounds, phrases, random, onStep }: Training,
): void {
  scaleRows(rows, dimensions);
  const all = packages.reduce((sum, { length }) => sum + length, 0);
  const steps = Math.max(1, Math.floor((rounds * all) / batchPairs));
  const size = { dimensions, rows: rows.length / dimensions };
  const batch: Batch = { slopes: new Float32Array(rows.length), touched: new Set() };
  const adam = createAdam(rows, size);
  let waiting: PairPieces[][] = [];
  for (let step = 0; step < steps; step += 1) {
    const pairs: PairPieces[] = [];
    while (pairs.length < batchPairs) {
      if (waiting.length === 0) waiting = portions(packages, random);
      const next = waiting.pop();
      if (next === undefined) return;
      pairs.push(...next);
      if (waiting.length === 0 && pairs.length > 1) break;
    }
    const asked = pairs.slice(0, batchPairs).map(({ comment, code }) => ({
      comment,
      code,
      phrase: phrases[Math.floor(random() * phrases.length)] ?? noPieces,
    }));
    onStep(step, steps, trainBatch(rows, asked, { rarity, dimensions, batch }));
    adam(batch, rate * (1 - step / steps));
  }
}

const noPieces: PieceCounts = { ids: new Int32Array(), counts: new Float32Array() };

function scaleRows(rows: Float32Array, dimensions: number): void {
  let squares = 0;
  let used = 0;
  for (let from = 0; from < rows.length; from += dimensions) {
    const own = rows.subarray(from, from + dimensions).reduce((sum, one) => sum + one * one, 0);
    squares += own;
    if (own > 0) used += 1;
  }
  const factor = 1 / Math.sqrt(squares / Math.max(1, used) || 1);
  for (let at = 0; at < rows.length; at += 1) rows[at] = (rows[at] as number) * factor;
}

/** Every package's pairs in portions, all in an order of chance. */
function portions(
  packages: readonly (readonly PairPieces[])[],
  random: () => number,
): PairPieces[][] {
  const cut = packages.flatMap((pairs) => {
    const mixed = shuffle([...pairs], random);
    const parts: PairPieces[][] = [];
    for (let from = 0; from < mixed.length; from += ofPackage)
      parts.push(mixed.slice(from, from + ofPackage));
    return parts.filter(({ length }) => length >= fewestOfPackage);
  });
  return shuffle(cut, random);
}

function shuffle<Item>(items: Item[], random: () => number): Item[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [items[at], items[other]] = [items[other] as Item, items[at] as Item];
  }
  return items;
}

/** Changes the rows that a batch touched by their slopes, and empties these. */
function createAdam(
  rows: Float32Array,
  size: { dimensions: number; rows: number },
): (batch: Batch, rate: number) => void {
  const { dimensions } = size;
  const means = new Float32Array(rows.length);
  const squares = new Float32Array(size.rows);
  const times = new Int32Array(size.rows);
  return ({ slopes, touched }, rateNow) => {
    for (const row of touched) {
      const from = row * dimensions;
      let square = 0;
      for (let at = from; at < from + dimensions; at += 1) square += (slopes[at] as number) ** 2;
      const time = (times[row] as number) + 1;
      times[row] = time;
      squares[row] =
        squareMemory * (squares[row] as number) + ((1 - squareMemory) * square) / dimensions;
      const spread = Math.sqrt((squares[row] as number) / (1 - squareMemory ** time)) + 1e-8;
      const speed = rateNow / (spread * (1 - slopeMemory ** time));
      for (let at = from; at < from + dimensions; at += 1) {
        const mean =
          slopeMemory * (means[at] as number) + (1 - slopeMemory) * (slopes[at] as number);
        means[at] = mean;
        rows[at] = (rows[at] as number) - speed * mean;
        slopes[at] = 0;
      }
    }
    touched.clear();
  };
}
