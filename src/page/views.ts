import type { JobRun } from '../contracts/jobs.ts';
import type { LayerCounts, MemoryFactors, MemoryLayer } from '../contracts/memory.ts';
import type { ListedJob } from '../contracts/output/parse-jobs.ts';
import type { DayUsage } from '../contracts/store.ts';

/** What the page is told at its start. `seq` is that of the last event of the journal. */
export type Overview = { workspace: string; seq: number };

export type RunLine = {
  id: string;
  command: string;
  question: string;
  status: string;
  startedMs: number;
  finishedMs?: number;
  /** changes of files */
  changes: number;
  undoneMs?: number;
};

export type RunsView = { runs: RunLine[]; isWhole: boolean };

/** A step of a plan, with what came of it once it ended. */
export type PageStep = {
  id: string;
  tool: string;
  needs: readonly string[];
  effect?: string;
  input: string;
  /** absent while it runs or waits */
  status?: string;
  summary?: string;
  startMs?: number;
  durationMs?: number;
};

export type PageEvidence = {
  path: string;
  line: number;
  endLine: number;
  /** those lines as the file has them now; absent where they are not shown */
  text?: string;
  /** why there is no text */
  note?: string;
};

/** What a run changed in a file: a unified diff, or why there is none. */
export type PageChange = { path: string; patch?: string; note?: string };

export type PageEvent = { seq: number; atMs: number; step?: string; kind: string; text: string };

export type RunView = {
  run: RunLine & { model: string; session?: string };
  answer?: string;
  steps: PageStep[];
  /** later steps than those in `steps` */
  stepsLeftOut: number;
  capabilities: { capability: string; decision: string }[];
  evidence: PageEvidence[];
  memory: { id: string; layer: string; score: number }[];
  usage?: { requests: number; inputTokens: number; outputTokens: number; usd?: number };
  denials: { step?: string; text: string }[];
  /** later denials than those in `denials` */
  denialsLeftOut: number;
  changes: PageChange[];
  /** changed files beyond those in `changes` */
  changesLeftOut: number;
  /** the command that takes the changes back; absent where there is nothing to take back */
  undo?: string;
  /** what no undo takes back */
  lasting: readonly string[];
  events: PageEvent[];
  /** older events than those in `events` */
  eventsLeftOut: number;
};

export type PageRow = {
  id: string;
  layer: MemoryLayer;
  kind: string;
  text: string;
  source?: string;
  ts: number;
  run?: string;
  /** of a hit: why it is one */
  score?: number;
  factors?: MemoryFactors;
};

export type MemoryView = {
  /** rows by their age, the youngest first */
  ages: { name: string; rows: LayerCounts }[];
  /** the newest, or the hits of a search, best first */
  rows: PageRow[];
  /** words that were searched for */
  text: string;
};

export type PagePlugin = {
  name: string;
  version: string;
  source: string;
  by: string;
  description: string;
  tools: readonly string[];
  wants: readonly { capability: string; can: string }[];
  grants: readonly string[];
  use: { calls: number; isMore: boolean; lastMs?: number };
};

export type PluginsView = { plugins: PagePlugin[] };

export type JobsView = { jobs: ListedJob[]; log: JobRun[] };

/** A day of local time, e.g. `2026-11-29`; the oldest first. */
export type CostView = { days: DayUsage[]; sinceMs: number };

/** All that the page shows; each call reads anew and changes nothing. */
export type PageViews = {
  overview(): Promise<Overview>;
  runs(limit: number): Promise<RunsView>;
  /** @throws {KernelError} `not-found` for a run of another workspace, too */
  run(id: string): Promise<RunView>;
  /** @param text words to search for; the newest rows without any */
  memory(options: { text: string; layer: string }): Promise<MemoryView>;
  plugins(): Promise<PluginsView>;
  jobs(): Promise<JobsView>;
  cost(): Promise<CostView>;
};

/** What an exported page holds in place of a server. */
export type ExportedPage = {
  madeMs: number;
  overview: Overview;
  runs: RunsView;
  run: Record<string, RunView>;
  memory: MemoryView;
  plugins: PluginsView;
  jobs: JobsView;
  cost: CostView;
};
