/** Ranks from 0; -1 where no right file was shown. */
export function rankOf(shown: readonly string[], right: readonly string[]): number {
  return shown.findIndex((path) => right.includes(path));
}

/** The share of ranks among the first `places`; 0 for none. */
export function hitRate(ranks: readonly number[], places: number): number {
  const hits = ranks.filter((rank) => rank >= 0 && rank < places).length;
  return ranks.length === 0 ? 0 : hits / ranks.length;
}

/** As `npm run bench` prints its lines; `value` is a share of the questions, 0 to 1. */
export type AskLine = {
  name: string;
  value: number;
  unit: 'share';
  /** questions */
  runs: number;
  peer?: string;
  peerValue?: number;
  ratio?: number;
  reach: string;
  ok: boolean;
  note?: string;
};

/** What the issue asks of the published half. */
const reaches = { hit1: 0.7, hit5: 0.92 } as const;
/** What an index has to add to the share of questions whose right file comes first. */
const leastGain = 0.05;

/**
 * @param suffix `''` for the published half, whose figures have to reach something; else
 *   the part that is put behind the names
 */
export function askLines(
  ranks: { ask: readonly number[]; bm25: readonly number[]; index?: readonly number[] },
  suffix: string,
): AskLine[] {
  const runs = ranks.ask.length;
  const figure = (places: 1 | 5) => {
    const value = round(hitRate(ranks.ask, places));
    const peerValue = round(hitRate(ranks.bm25, places));
    const least = places === 1 ? reaches.hit1 : reaches.hit5;
    const beside = { peer: 'bm25 over whole files', peerValue };
    const ratio = peerValue === 0 ? {} : { ratio: round(value / peerValue) };
    const reported = suffix !== '';
    const reach = reported ? 'reported' : `>= ${least.toFixed(2)}`;
    const ok = reported || value >= least;
    return {
      name: `ask.hit${places}${suffix}`,
      value,
      unit: 'share' as const,
      runs,
      ...beside,
      ...ratio,
      reach,
      ok,
    };
  };
  const reference = (places: 1 | 5) => ({
    name: `ask.bm25.hit${places}${suffix}`,
    value: round(hitRate(ranks.bm25, places)),
    unit: 'share' as const,
    runs,
    reach: 'reported',
    ok: true,
  });
  /** Beside the same questions without an index. */
  const withIndex = (places: 1 | 5, found: readonly number[]) => {
    const value = round(hitRate(found, places));
    const peerValue = round(hitRate(ranks.ask, places));
    const gain = places === 1 ? leastGain : 0;
    const isReported = suffix !== '';
    return {
      name: `ask.index.hit${places}${suffix}`,
      value,
      unit: 'share' as const,
      runs,
      peer: 'without an index',
      peerValue,
      ...(peerValue === 0 ? {} : { ratio: round(value / peerValue) }),
      reach: isReported ? 'reported' : `>= ${round(peerValue + gain).toFixed(3)}`,
      ok: isReported || value >= round(peerValue + gain),
    };
  };
  const indexed =
    ranks.index === undefined ? [] : [withIndex(1, ranks.index), withIndex(5, ranks.index)];
  return [figure(1), figure(5), ...indexed, reference(1), reference(5)];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
