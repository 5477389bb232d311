import type { ErrorCode } from './error.ts';
import type { JsonObject } from './tool.ts';

/** The keys of `[fleet]` in the person's own configuration; a project has none of them. */
export type FleetSettings = {
  /** `postgres://USER@HOST:PORT/DATABASE`, without a password */
  address: string | undefined;
  /** file with the certificates that vouch for the database, in place of the system's */
  ca: string | undefined;
  /** folders and addresses whose repositories this worker may fetch */
  repositories: readonly string[];
  /** jobs at once; the number of cores when absent */
  jobs: number | undefined;
  cacheBytes: number;
  leaseSeconds: number;
};

/** What is done with each repository. */
export type FleetWork =
  | { kind: 'ask'; question: string }
  /** @property external the tool may do what cannot be taken back */
  | { kind: 'run'; tool: string; input: JsonObject; external: boolean }
  | { kind: 'index' };

/** What all jobs of a run may use together; absent is without a limit. */
export type FleetBudget = {
  tokens?: number | undefined;
  usd?: number | undefined;
  /** ms from the moment the run is queued */
  durationMs?: number | undefined;
};

export type NewFleetRun = {
  id: string;
  work: FleetWork;
  budget: FleetBudget;
  /** folders or git addresses, each once */
  repositories: readonly string[];
};

/** One job, held by this worker until its lease ends. */
export type TakenJob = {
  id: string;
  run: string;
  repository: string;
  /** how often it was taken before */
  retries: number;
};

/** What a worker knows of a job that it may begin. */
export type BegunJob = {
  work: FleetWork;
  /** what the job may use of the run's budget */
  share: FleetBudget;
};

/**
 * How a job ended. `unknown`: its worker died while an effect outside of the workspace may have been
 * under way, which nobody repeats.
 */
export type FleetOutcome = 'ok' | 'failed' | 'unknown';

export type FinishedJob = {
  outcome: FleetOutcome;
  /** of what failed */
  code?: ErrorCode | undefined;
  /** one sentence for a person */
  summary: string;
  /** the answer, or the result of the tool */
  content: string;
  /** where the answer was read: `path:line` */
  evidence: readonly string[];
  /** the commit that was looked at */
  commit: string;
  /** changes against that commit, as git writes them; empty without a change */
  patch: Uint8Array;
  /** events of the run, one JSON a line */
  journal: Uint8Array;
  used: { tokens: number; usd: number };
  durationMs: number;
};
