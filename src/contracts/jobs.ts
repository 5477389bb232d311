import type { LayerCounts } from './memory.ts';

/**
 * How a run of a job ended: `timed-out` at its deadline, `died` with its process, `stopped` because
 * the time after a command was over, `canceled` with the one that ran it.
 */
export const jobOutcomes = ['done', 'failed', 'timed-out', 'died', 'stopped', 'canceled'] as const;
export type JobOutcome = (typeof jobOutcomes)[number];

export type JobRecord = {
  name: string;
  /**
   * Start of the period, ms since the Unix epoch: the end of the last run that was done, failed or
   * died; before the first run, the time when the job was first seen.
   */
  sinceMs: number;
  /** the end of the last run, whatever became of it */
  lastRunMs?: number;
  lastOutcome?: JobOutcome;
  /** runs in a row that failed, timed out or died */
  failures: number;
  /** runs that were stopped after a command, since one was done */
  stops: number;
  pausedMs?: number;
  /** a process holds its lease */
  isRunning: boolean;
};

export type JobRun = {
  seq: number;
  job: string;
  why: string;
  outcome: JobOutcome | 'running';
  startedMs: number;
  finishedMs?: number;
  /** one sentence: what it did, or why it did not */
  summary: string;
  /** a line for each thing that it did */
  details: string[];
};

/** The change that the end of a run makes to its record. */
export type JobEnd = {
  outcome: JobOutcome;
  nowMs: number;
  summary: string;
  details: readonly string[];
  /** the work is still at it and cannot be ended: the lease runs out by itself */
  keepLease?: boolean;
};

/**
 * The records, leases and log of jobs. A lease counts the machine's own time and not that of its
 * clock, so that setting the clock neither ends a lease nor makes it last. Synchronous.
 */
export type JobBook = {
  /** Records of these jobs, in their order; a new job gets a record. */
  records(names: readonly string[], nowMs: number): JobRecord[];
  /** Ends leases that were not renewed. @returns the runs whose process died */
  reap(nowMs: number): JobRun[];
  /**
   * Takes the lease of a job and opens a line of the log.
   *
   * @param claim.why looked at under the write lock; undefined: the job is not due any more
   * @returns the line's `seq`; undefined when it is not due or another holder has it
   */
  claim(claim: {
    job: string;
    holder: string;
    leaseMs: number;
    nowMs: number;
    why(record: JobRecord): string | undefined;
  }): number | undefined;
  /** @returns false when the lease is another's by now */
  renew(job: string, holder: string, leaseMs: number): boolean;
  /**
   * Ends the run. A holder whose lease was taken over changes nothing.
   *
   * @returns its line of the log; undefined when it was pruned meanwhile
   */
  finish(seq: number, holder: string, end: JobEnd): JobRun | undefined;
  /** Gives a lease back that `finish` kept. */
  release(job: string, holder: string): void;
  pause(job: string, nowMs: number | undefined): void;
  /** Newest first. */
  log(options: { job?: string; limit: number }): JobRun[];
};

/** Rows that were removed from the store because of their age. */
export type PrunedStore = { runs: number; jobRuns: number; outputs: number };

/** How much of conversations with models is kept, and how long. */
export type TalkQuota = { bytes: number; days: number };

/** Needs of jobs and of their runners, beside the kernel's commands. */
export type JobCommands = {
  /** The book; opens the store. */
  book(): Promise<JobBook>;
  /** Whether something else of this process opened the store already, and it can be written. */
  isStoreOpen(): boolean;
  nowMs(): number;
  /** Rows of memory that are durable and not yet in a table. */
  pendingRows(): Promise<number>;
  /** Brings the scores of used rows of memory up to now. */
  decayScores(nowMs: number): Promise<{ scored: number; dropped: number }>;
  /** Ids of rows of `interact` that so many answers drew on, with how many. */
  usedOften(minScore: number): Promise<Map<string, number>>;
  /** How many answers drew on rows of memory, by their ids. */
  timesUsed(): Promise<ReadonlyMap<string, number>>;
  /** How useful rows of memory were, by their ids. */
  worth(): Promise<ReadonlyMap<string, number>>;
  /** Takes away marks and counts that belong to nothing any more. */
  vacuumOrphans(options: { signal: AbortSignal }): Promise<{ sources: number; uses: number }>;
  /** Notes what the home holds, in the store and in `metrics.json`. */
  snapshotMetrics(
    nowMs: number,
    options: { jobs: readonly string[]; signal: AbortSignal },
  ): Promise<Metrics>;
  /** Takes out records of runs, but of those whose changes can be undone, and lines of the log. */
  pruneStore(): Promise<PrunedStore>;
};

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
