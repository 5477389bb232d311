import type { MemoryFactors, MemoryLayer } from '../../contracts/memory.ts';
import { layerPolicies } from '../layers.ts';
/** A row that an arm found, with its true scores; the larger, the better. */
export type Candidate = {
  id: string;
  layer: MemoryLayer;
  /** milliseconds since the Unix epoch */
  ts: number;
  /** 0: no word of the question is in it */
  bm25: number;
  /** absent without a vector */
  cosine?: number;
  /** cosine by a sentence model that did not make the table's vectors, and counts instead of it */
  meaning?: number;
  /** a person said it, to be kept */
  isKept?: boolean;
};

export type Ranked<Found extends Candidate> = Found & { score: number; factors: MemoryFactors };

/** The least factor of age: it orders hits that are otherwise alike, and no more. */
const minDecay = 0.8;
/** Share of the likeness for facts: people mostly ask in other words than they told them in. */
const keptAlpha = 0.8;
/** Facts are not worth less in a higher layer. */
const keptWeight = layerPolicies.interact.weight;
/** BM25 of a word in a short text, as a multiple of the logarithm of the number of rows. */
const wordScale = 1.4;
/** A fact without a word of the question is a hit unless it is clearly behind the nearest row. */
const leastOfBest = 0.3;
/**
 * A turn or a piece of a file that shares no word with the question is a hit from this likeness on.
 */
const leastOfOthers = 0.85;

/**
 * score = fused · layer weight · decay, where
 * fused = (1 − α) · bm25 / best bm25 + α · max(0, cosine − floor) / (best cosine − floor), an arm
 * whose best is 0 adds 0, and decay = 0.8 + 0.2 · 2^(−age / half-life). Computed here and stored nowhere. Weighted
 * scores were measured to be better than ranks (RRF), which lose to words alone when the vectors
 * are weak.
 *
 * For a fact α is 0.8, likeness replaces the cosine, words count by the cube of their share of the
 * question (one word of five says next to nothing), and age does not count.
 *
 * @param candidates the first of two with one id is taken
 * @param options.nowMs milliseconds since the Unix epoch; a row from the future counts as of now
 * @param options.alpha share of the likeness, 0 to 1; of no meaning where no candidate has one
 * @param options.use what cosines mean, of the table's vectors
 * @param options.meaningUse the same of `meaning`
 * @param options.askedWords words of the question
 * @param options.rows rows among which a word is rare or frequent
 * @returns best first, of equals the newer
 */
export function rankCandidates<Found extends Candidate>(
  candidates: readonly Found[],
  options: {
    nowMs: number;
    alpha: number;
    use?: CosineUse;
    meaningUse?: CosineUse;
    askedWords: number;
    rows: number;
  },
): Ranked<Found>[] {
  const likeness = ({ cosine, meaning }: Candidate): number =>
    meaning === undefined
      ? likenessOf(cosine, options.use)
      : likenessOf(meaning, options.meaningUse);
  const distinct = new Map<string, { candidate: Found; like: number }>();
  for (const candidate of candidates) {
    const { id } = candidate;
    if (!distinct.has(id)) distinct.set(id, { candidate, like: likeness(candidate) });
  }
  const all = [...distinct.values()];
  const bestLike = Math.max(0, ...all.map(({ like }) => like));
  const found = all.filter(
    ({ candidate, like }) =>
      candidate.bm25 > 0 ||
      (like > 0 && like >= (candidate.isKept ? leastOfBest * bestLike : leastOfOthers)),
  );
  const bestWords = Math.max(0, ...found.map(({ candidate }) => candidate.bm25));
  const above = (cosine = 0): number => Math.max(0, cosine - (options.use?.cosineFloor ?? 0));
  const bestCosine = Math.max(0, ...found.map(({ candidate }) => above(candidate.cosine)));
  const meant = ({ meaning = 0 }: Candidate): number =>
    Math.max(0, meaning - (options.meaningUse?.cosineFloor ?? 0));
  const others = found.filter(({ candidate }) => candidate.isKept !== true);
  const bestMeant = Math.max(0, ...others.map(({ candidate }) => meant(candidate)));
  const nearOf = (candidate: Candidate): number =>
    candidate.meaning === undefined
      ? shareOf(above(candidate.cosine), bestCosine)
      : shareOf(meant(candidate), bestMeant);
  const asked = wordScale * Math.log(1 + options.rows) * Math.max(1, options.askedWords);
  const hasVectors = found.some(
    ({ candidate }) => (candidate.meaning ?? candidate.cosine) !== undefined,
  );
  const ranked = found.map(({ candidate, like }): Ranked<Found> => {
    const { layer, ts, bm25, cosine, meaning, isKept = false } = candidate;
    const { layerWeight, decay } = weighingOf({ layer, ts, isKept }, options.nowMs);
    const words = shareOf(bm25, bestWords);
    // without vectors there is nothing but words
    const ownAlpha = isKept ? keptAlpha : options.alpha;
    const alpha = hasVectors ? ownAlpha : 0;
    const ownWords = isKept && hasVectors ? Math.min(1, bm25 / asked) ** 3 : words;
    const near = isKept ? shareOf(like, bestLike) : nearOf(candidate);
    const fused = (1 - alpha) * ownWords + alpha * near;
    const factors = {
      bm25,
      ...(cosine === undefined ? {} : { cosine }),
      ...(meaning === undefined ? {} : { meaning }),
      ...(cosine === undefined && meaning === undefined ? {} : { likeness: like }),
      fused,
      layerWeight,
      decay,
    };
    return { ...candidate, score: fused * layerWeight * decay, factors };
  });
  return ranked.sort((one, other) => other.score - one.score || other.ts - one.ts);
}

function shareOf(score: number, best: number): number {
  return best > 0 ? score / best : 0;
}

/** The present weight of a row beside its score. */
export function weighingOf(
  { layer, ts, isKept }: { layer: MemoryLayer; ts: number; isKept: boolean },
  nowMs: number,
): { layerWeight: number; decay: number } {
  if (isKept) return { layerWeight: keptWeight, decay: 1 };
  return { layerWeight: layerPolicies[layer].weight, decay: decayOf(layer, nowMs - ts) };
}

/** How much a row of this age counts, 0.8 to 1; one from the future as one of now. */
function decayOf(layer: MemoryLayer, ageMs: number): number {
  return minDecay + (1 - minDecay) * 2 ** (-Math.max(0, ageMs) / layerPolicies[layer].halfLifeMs);
}

/** The meaning of an embedder's cosines, measured on questions and facts in other words. */
export type CosineUse = {
  /** cosines up to this one count as 0 */
  cosineFloor: number;
  /** a fact as near as this to a question perhaps answers it, where both share no word */
  perhapsCosine: number;
  /** a fact as near as this mostly answers it */
  sureCosine: number;
};

/**
 * A cosine on a scale that embedders share: 0 at the floor, 0.5 for what perhaps answers, 1 for what
 * mostly does, more above. It rises with the cosine, so that it changes no order.
 */
export function likenessOf(cosine: number | undefined, use: CosineUse | undefined): number {
  if (cosine === undefined || use === undefined) return 0;
  const { cosineFloor: floor, perhapsCosine: perhaps, sureCosine: sure } = use;
  if (cosine <= floor) return 0;
  if (cosine <= perhaps) return (0.5 * (cosine - floor)) / (perhaps - floor);
  return 0.5 + (0.5 * (cosine - perhaps)) / (sure - perhaps);
}

/**
 * Cosine of two vectors of length 1.
 *
 * @returns undefined where one is missing or says nothing (all zeros)
 */
export function cosineOf(
  left: Float32Array | undefined,
  right: Float32Array | undefined,
): number | undefined {
  if (left === undefined || right === undefined || left.length !== right.length) return undefined;
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < left.length; at += 1) {
    const value = right[at] as number;
    sum += (left[at] as number) * value;
    squares += value * value;
  }
  return squares === 0 ? undefined : sum;
}
