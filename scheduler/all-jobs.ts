import type { Job } from './job.ts';
import { flushMemory } from './jobs/flush-memory.ts';
import { optimizeTables } from './jobs/optimize-tables.ts';
import { promoteDecisions } from './jobs/promote-decisions.ts';
import { prune } from './jobs/prune.ts';
import { pruneBlobs } from './jobs/prune-blobs.ts';
import { pruneMemory } from './jobs/prune-memory.ts';

/** In the order in which due ones run: what is worth keeping is copied before anything goes. */
export const allJobs: readonly Job[] = [
  promoteDecisions,
  flushMemory,
  pruneMemory,
  optimizeTables,
  prune,
  pruneBlobs,
];
