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

/** What memory knows of its use. Synchronous. Owned by the store. */
export type MemoryUses = {
  /** The answer of a run drew on these rows; `run` absent: it is counted and not told of. */
  count(rows: readonly RecalledRow[], nowMs: number, run?: string): void;
  /** What the answer of a run drew on, best first. */
  recalledBy(run: string): (RecalledRow & { score: number })[];
  /** Runs whose answers drew on a row, newest first. */
  runsThatRecalled(id: string): string[];
  all(): MemoryUse[];
  /** One transaction. */
  keepScores(scores: readonly { id: string; score: number }[], nowMs: number): void;
  remove(ids: readonly string[]): void;
};
