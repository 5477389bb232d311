import type { Job } from './job.ts';
import { decayScores } from './jobs/decay-scores.ts';
import { flushMemory } from './jobs/flush-memory.ts';
import { makeVectors } from './jobs/make-vectors.ts';
import { optimizeTables } from './jobs/optimize-tables.ts';
import { promoteDecisions } from './jobs/promote-decisions.ts';
import { prune } from './jobs/prune.ts';
import { pruneBlobs } from './jobs/prune-blobs.ts';
import { pruneMemory } from './jobs/prune-memory.ts';
import { reindexWorkspace } from './jobs/reindex-workspace.ts';
import { snapshotMetrics } from './jobs/snapshot-metrics.ts';
import { vacuumOrphans } from './jobs/vacuum-orphans.ts';

/** In the order in which due ones run: what is worth keeping is copied before anything goes. */
export const allJobs: readonly Job[] = [
  decayScores,
  promoteDecisions,
  flushMemory,
  makeVectors,
  pruneMemory,
  reindexWorkspace,
  optimizeTables,
  vacuumOrphans,
  prune,
  pruneBlobs,
  snapshotMetrics(() => allJobs.map(({ name }) => name)),
];
