import type { MemoryLayer } from '../contracts/memory.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type LayerPolicy = {
  /** how much a hit of it counts */
  weight: number;
  /** after this a row counts half */
  halfLifeMs: number;
  /** beside facts, which all stay; of more the least used go */
  maxRows: number;
};

export const layerPolicies: Readonly<Record<MemoryLayer, LayerPolicy>> = {
  interact: { weight: 1.2, halfLifeMs: 48 * hourMs, maxRows: 50_000 },
  insights: { weight: 1.0, halfLifeMs: 30 * dayMs, maxRows: 50_000 },
  assets: {
    weight: 0.8,
    halfLifeMs: Number.POSITIVE_INFINITY,
    maxRows: Number.POSITIVE_INFINITY,
  },
};

/** How much memory keeps. */
export type Retention = {
  /** turns that stay whole */
  turnRows: number;
  /** turns go when they are older; none by its age when undefined */
  turnDays?: number;
  /** facts, decisions and preferences of all workspaces */
  factRows: number;
};

export const defaultRetention: Retention = {
  turnRows: layerPolicies.interact.maxRows,
  factRows: 20_000,
};
