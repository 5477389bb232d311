import { KernelError } from '../../contracts/error.ts';
import type { MemoryHit, MemoryReranker } from '../../contracts/memory.ts';
import { mixScores } from '../../lib/numbers.ts';

/** A hit and its text for the reranker. A hit without a text keeps its place. */
export type Rerankable = { hit: MemoryHit; text: string | undefined };

/**
 * Orders the first hits anew by `(1 − share) · score + share · rerank`, both scaled to 0 … 1 over
 * the reranked hits. A hit that was not reranked, for its kind or for lack of time, keeps its
 * place. The old scores are handed out in the new order, so that they still fall from the first hit
 * to the last; `factors.rerank` is the reranker's score, 0 to 1.
 *
 * @param ranked best first
 */
export async function rerankHits(
  ranked: readonly Rerankable[],
  reranker: MemoryReranker,
  options: {
    question: string;
    pool: readonly string[];
    /** weight of the reranker, 0 to 1 */
    share: number;
    signal: AbortSignal;
  },
): Promise<MemoryHit[]> {
  const hits = ranked.map(({ hit }) => hit);
  const places = ranked
    .slice(0, reranker.candidates)
    .flatMap(({ text }, place) => (text === undefined ? [] : [{ place, text }]));
  if (places.length < 2) return hits;
  const scores = await reranker.score(
    options.question,
    places.map(({ text }) => text),
    options,
  );
  if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
  const scored = places.flatMap(({ place }, at) => {
    const rerank = scores[at];
    const hit = hits[place];
    return rerank === undefined || hit === undefined ? [] : [{ place, hit, rerank }];
  });
  return mixed(hits, scored, options.share);
}

function mixed(
  hits: MemoryHit[],
  scored: readonly { place: number; hit: MemoryHit; rerank: number }[],
  share: number,
): MemoryHit[] {
  const worst = scored.at(-1)?.hit.score ?? 0;
  const best = scored[0]?.hit.score ?? 0;
  const fused = scored.map(({ hit }) => hit.score);
  const reranked = scored.map(({ rerank }) => rerank);
  const again = mixScores(fused, reranked, share)
    .map(({ mixed: mix, after }, at) => {
      const { hit } = scored[at] as (typeof scored)[number];
      return {
        ...hit,
        score: worst + (best - worst) * mix,
        factors: { ...hit.factors, rerank: after },
      };
    })
    .sort((one, other) => other.score - one.score);
  const placed = [...hits];
  for (const [at, { place }] of scored.entries()) placed[place] = again[at] as MemoryHit;
  return placed;
}

/** A model is loaded within some 300 ms; on a busy machine, or from a slow disk, in a few times that. */
const warmTimeoutMs = 5_000;

/**
 * Waits for a model that is being loaded.
 *
 * @throws {KernelError} `deadline-exceeded` when it takes too long, or what the model throws
 */
export async function untilWarm(model: { name: string; warm(): Promise<void> }): Promise<void> {
  const deadline = untilDeadline(warmTimeoutMs);
  if (await deadline(model.warm().then(() => true))) return;
  const detail = `the model ${model.name} was not loaded within ${warmTimeoutMs / 1_000} s`;
  throw new KernelError('deadline-exceeded', detail, {
    hint: 'Search again, or switch it off: memory.reranker = "none" in config.toml.',
  });
}

/**
 * One deadline for several pieces of work.
 *
 * @returns a function that gives what the work gives, or undefined when the time is over first; the
 *   work then goes on, and what it throws is dropped
 */
export function untilDeadline(
  timeoutMs: number,
): <Value>(work: Promise<Value>) => Promise<Value | undefined> {
  const untilMs = performance.now() + timeoutMs;
  return async (work) => {
    work.catch(() => {});
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return undefined;
    const over = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => over.resolve(undefined), leftMs);
    try {
      return await Promise.race([work, over.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
