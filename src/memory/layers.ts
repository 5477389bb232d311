import type { MemoryLayer } from '../contracts/memory.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type LayerPolicy = {
  /** how much a hit of it counts */
  weight: number;
  /** after this a row counts half */
  halfLifeMs: number;
  /** rows older than this go */
  maxAgeMs: number;
  /** the newest that stay */
  maxRows: number;
};

export const layerPolicies: Readonly<Record<MemoryLayer, LayerPolicy>> = {
  interact: { weight: 1.2, halfLifeMs: 48 * hourMs, maxAgeMs: dayMs, maxRows: 5_000 },
  insights: { weight: 1.0, halfLifeMs: 30 * dayMs, maxAgeMs: 90 * dayMs, maxRows: 50_000 },
  assets: {
    weight: 0.8,
    halfLifeMs: Number.POSITIVE_INFINITY,
    maxAgeMs: Number.POSITIVE_INFINITY,
    maxRows: Number.POSITIVE_INFINITY,
  },
};
