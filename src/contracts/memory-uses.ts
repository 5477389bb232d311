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

/** What memory knows of its use. Synchronous. Owned by the store. */
export type MemoryUses = {
  /** One answer drew on these rows. */
  count(rows: readonly { id: string; layer: MemoryLayer }[], nowMs: number): void;
  all(): MemoryUse[];
  /** One transaction. */
  keepScores(scores: readonly { id: string; score: number }[], nowMs: number): void;
  remove(ids: readonly string[]): void;
};
