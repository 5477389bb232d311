import type { MemoryLayer } from './memory.ts';

/** How often answers drew on a row of memory. */
export type MemoryUse = {
  id: string;
  layer: MemoryLayer;
  /** answers */
  uses: number;
  /** the same, where older uses count less, as of `scoredMs` */
  score: number;
  /** ms since the Unix epoch */
  scoredMs: number;
};

export type RecalledRow = { id: string; layer: MemoryLayer; score?: number };

/** Counts of memory's use. Synchronous. Owned by the store. */
export type MemoryUses = {
  /** The answer of a run used these rows; without `run` it is counted only. */
  count(rows: readonly RecalledRow[], nowMs: number, run?: string): void;
  /** The rows that the answer of a run used, best first. */
  recalledBy(run: string): (RecalledRow & { score: number })[];
  /** Runs whose answers drew on a row, newest first. */
  runsThatRecalled(id: string): string[];
  all(): MemoryUse[];
  /** One transaction. */
  keepScores(scores: readonly { id: string; score: number }[], nowMs: number): void;
  remove(ids: readonly string[]): void;
};
