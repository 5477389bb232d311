import type { LayerCounts } from './memory.ts';

/** The content of a home at one time, and the work of the hour before. */
export type Metrics = {
  /** ms since the Unix epoch */
  ts: number;
  memory: LayerCounts & {
    /** rows that are in no table yet */
    pending: number;
    /** of the tables on disk */
    bytes: number;
  };
  /** of the last hour */
  runs: { done: number; failed: number };
  /** names of jobs that failed the last time they ran */
  failingJobs: string[];
  /** of `cuervo.db` */
  storeBytes: number;
};

/** Snapshots, kept for 90 days. Synchronous. Owned by the store. */
export type MetricsBook = {
  /** Also drops what is too old. */
  add(metrics: Metrics): void;
  /** newest first */
  latest(limit: number): Metrics[];
  runsSince(sinceMs: number): Metrics['runs'];
  /** bytes of the database */
  pages(): number;
};
