import type { Arms } from './memory-measure.ts';
import { type Judged, macroMean, mean, ndcg, recall } from './memory-score.ts';

/** As `npm run bench` prints its lines; shares, nDCG and recall are 0 to 1, times are medians. */
export type MemoryLine = {
  name: string;
  value: number;
  unit: string;
  /** questions, or times that were taken */
  runs: number;
  reach: string;
  ok: boolean;
};

/** What is to be reached over all questions, by the name of the line. */
const reaches: Readonly<Record<string, number>> = {
  'scifact.fts': 0.68,
  'locomo-dev.fts': 0.49,
  'scifact.fused.static': 0.695,
  'locomo-dev.fused.static': 0.51,
  'scifact.fused.all-MiniLM-L6-v2': 0.73,
  'locomo-dev.fused.all-MiniLM-L6-v2': 0.52,
  'scifact.fused.bge-small-en-v1.5': 0.72,
  'locomo-dev.fused.bge-small-en-v1.5': 0.51,
  'scifact.fused+maxsim20.static': 0.715,
  'locomo-dev.fused+maxsim20.static.all-MiniLM-L6-v2': 0.54,
  'locomo-dev.fused+maxsim20.vectors': 0.55,
  'locomo-dev.fused+maxsim20.static.all-MiniLM-L6-v2.turn-recall@20.each': 0.825,
  'locomo-dev.fused+maxsim20.static.all-MiniLM-L6-v2.session-recall@10.each': 0.94,
};
/** Late interaction may lose so much where the vectors are a sentence model's already. */
const maxRerankLoss = 0.006;
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
  const meanOf = (arm: string) => macroMean(judgedBy(arm), ndcgOf);
  const bestArm = Math.max(...['fts', 'dense'].map(meanOf));
  const least = (arm: string, name: string): number | undefined => {
    const asked = reaches[name] ?? reaches[name.split('.').slice(0, 3).join('.')];
    if (arm === 'fused') return Math.max(asked ?? 0, bestArm - maxLoss);
    if (name.startsWith('scifact.fused+maxsim20.vectors')) return meanOf('fused') - maxRerankLoss;
    return asked;
  };
  return arms.flatMap((arm) => {
    const name = lineName(set, arm, embedder);
    const all = judgedBy(arm);
    const odd = all.map((questions) => questions.filter(({ isOdd }) => isOdd));
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
    const share = (suffix: string, score: (judged: Judged) => number): MemoryLine => ({
      ...line(suffix, all, 'share'),
      value: round(macroMean(all, score)),
    });
    /** Over all questions alike: neither categories nor conversations count as one. */
    const each = (suffix: string, score: (judged: Judged) => number): MemoryLine => {
      const value = round(mean(all.flatMap((judged) => judged.map(score))));
      const bound = reaches[`${name}${suffix}`];
      return {
        ...line(suffix, all, 'share'),
        value,
        ...(bound === undefined ? {} : { reach: `>= ${bound}`, ok: value >= bound }),
      };
    };
    const bySession = (score: (found: Judged) => number) => (judged: Judged) =>
      score({ ...judged, ...judged.sessions });
    const sessions = all.some((judged) => judged.some((one) => one.sessions !== undefined))
      ? [
          share('.turn-recall@20', (judged) => recallAt(judged, 20)),
          each('.turn-recall@20.each', (judged) => recallAt(judged, 20)),
          each(
            '.session-recall@10.each',
            bySession((one) => recallAt(one, 10)),
          ),
          share(
            '.session-recall@10',
            bySession((one) => recallAt(one, 10)),
          ),
          share(
            '.session-all@10',
            bySession((one) => Math.floor(recallAt(one, 10))),
          ),
          share(
            '.session-any@10',
            bySession((one) => Math.ceil(recallAt(one, 10))),
          ),
        ]
      : [];
    return [
      ...sessions,
      share('.recall@5', (judged) => recallAt(judged, 5)),
      line('', all, 'nDCG@10', least(arm, name)),
      line('.odd', odd, 'nDCG@10'),
      line('.recall', all, 'recall@10'),
      line('.odd.recall', odd, 'recall@10'),
    ];
  });
}

/** A reranked arm says by its last part which model reranks; what it reranks is `static` or not. */
function lineName(set: string, arm: string, embedder: string): string {
  const [, reranked, model] = /^(fused\+maxsim\d+)\.(.*)$/.exec(arm) ?? [];
  if (reranked !== undefined) {
    return `${set}.${reranked}.${embedder === 'static' ? 'static' : 'vectors'}.${model}`;
  }
  return plainArms.includes(arm) ? `${set}.${arm}` : `${set}.${arm}.${embedder}`;
}

function ndcgOf({ found, relevant }: Judged): number {
  return ndcg(found, relevant);
}

function recallAt({ found, relevant }: Judged, places: number): number {
  return recall(found, relevant, places);
}

function recallOf({ found, relevant }: Judged): number {
  return recall(found, relevant);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
