import type { Arms } from './memory-measure.ts';
import { type Judged, macroMean, ndcg, recall } from './memory-score.ts';

/** As `npm run bench` prints its lines; `value` is nDCG@10 or recall@10, 0 to 1. */
export type MemoryLine = {
  name: string;
  value: number;
  unit: 'nDCG@10' | 'recall@10';
  /** questions */
  runs: number;
  reach: string;
  ok: boolean;
};

/** What is to be reached over all questions, by set and arm. */
const reaches: Readonly<Record<string, number>> = {
  'scifact.fts': 0.68,
  'locomo-dev.fts': 0.49,
  'scifact.fused': 0.695,
  'locomo-dev.fused': 0.515,
};
/** Fusion may lose so much to the better of its arms. */
const maxLoss = 0.005;
/** These need no embedder and are named without one. */
const plainArms = ['fts'];

/** @param measured what every arm found, for each collection of the set */
export function memoryLines(
  set: string,
  embedder: string,
  measured: readonly Arms[],
): MemoryLine[] {
  const arms = [...(measured[0]?.keys() ?? [])];
  const judgedBy = (arm: string) => measured.map((found) => found.get(arm) ?? []);
  const bestArm = Math.max(...['fts', 'dense'].map((arm) => macroMean(judgedBy(arm), ndcgOf)));
  return arms.flatMap((arm) => {
    const name = plainArms.includes(arm) ? `${set}.${arm}` : `${set}.${arm}.${embedder}`;
    const all = judgedBy(arm);
    const odd = all.map((questions) => questions.filter(({ isOdd }) => isOdd));
    const asked = reaches[`${set}.${arm}`];
    const least = arm === 'fused' ? Math.max(asked ?? 0, bestArm - maxLoss) : asked;
    const line = (
      suffix: string,
      judged: readonly (readonly Judged[])[],
      unit: MemoryLine['unit'],
      bound?: number,
    ): MemoryLine => {
      const value = round(macroMean(judged, unit === 'nDCG@10' ? ndcgOf : recallOf));
      return {
        name: `${name}${suffix}`,
        value,
        unit,
        runs: judged.reduce((sum, questions) => sum + questions.length, 0),
        reach: bound === undefined ? 'reported' : `>= ${round(bound)}`,
        ok: bound === undefined || value >= round(bound),
      };
    };
    return [
      line('', all, 'nDCG@10', least),
      line('.odd', odd, 'nDCG@10'),
      line('.recall', all, 'recall@10'),
      line('.odd.recall', odd, 'recall@10'),
    ];
  });
}

function ndcgOf({ found, relevant }: Judged): number {
  return ndcg(found, relevant);
}

function recallOf({ found, relevant }: Judged): number {
  return recall(found, relevant);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
