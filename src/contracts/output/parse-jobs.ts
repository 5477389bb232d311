import * as v from 'valibot';
import { jobOutcomes } from '../jobs.ts';

const ts = v.pipe(v.number(), v.description('milliseconds since the Unix epoch'));
const outcome = v.pipe(v.picklist(jobOutcomes), v.description('how a run ended'));

/** One line of `cuervo jobs list --json`. */
export const listedJobSchema = v.object({
  name: v.string(),
  about: v.string(),
  everyMs: v.pipe(v.number(), v.description('from the end of a run to the next one')),
  nextMs: v.exactOptional(v.pipe(ts, v.description('when it is due; absent while paused'))),
  lastRunMs: v.exactOptional(ts),
  lastOutcome: v.exactOptional(outcome),
  failures: v.pipe(v.number(), v.description('runs in a row that did not succeed')),
  running: v.boolean(),
  paused: v.boolean(),
});
export type ListedJob = v.InferOutput<typeof listedJobSchema>;

/** One line of `cuervo jobs log --json`, `jobs run --json` and `scheduler run --json`. */
export const jobRunSchema = v.object({
  seq: v.pipe(v.number(), v.description('grows with every run')),
  job: v.string(),
  why: v.pipe(v.string(), v.description('why it was run')),
  outcome: v.picklist([...jobOutcomes, 'running']),
  startedMs: ts,
  finishedMs: v.exactOptional(ts),
  summary: v.pipe(v.string(), v.description('what it did, or why it did not')),
  details: v.pipe(v.array(v.string()), v.description('a line for each thing that it did')),
});

const count = v.pipe(v.number(), v.minValue(0));

/** One line of `cuervo fleet status --json`, and what `fleet ask --json` and the like print. */
export const fleetStatusSchema = v.object({
  run: v.string(),
  kind: v.picklist(['ask', 'run', 'index']),
  about: v.pipe(v.string(), v.description('the question, or the name of the tool')),
  queuedMs: v.pipe(v.number(), v.description('milliseconds since the Unix epoch')),
  jobs: count,
  waiting: count,
  running: count,
  ok: count,
  failed: count,
  unknown: v.pipe(count, v.description('an effect outside of the workspace may have happened')),
  canceled: v.pipe(count, v.description('jobs that cuervo fleet cancel took back')),
  changed: v.pipe(count, v.description('repositories with a patch')),
  failures: v.pipe(v.record(v.string(), count), v.description('failed jobs by error code')),
  perMinute: v.pipe(count, v.description('jobs that ended in the last minute')),
  tokens: count,
  usd: count,
});
export type FleetStatus = v.InferOutput<typeof fleetStatusSchema>;

const ended = {
  run: v.string(),
  job: v.string(),
  repository: v.string(),
  outcome: v.picklist(['ok', 'failed', 'unknown']),
  code: v.exactOptional(v.pipe(v.string(), v.description('of what failed'))),
  summary: v.string(),
  commit: v.pipe(v.string(), v.description('the commit that was looked at')),
  worker: v.string(),
  attempts: count,
  durationMs: count,
};

/** One line of `cuervo worker --json`. */
export const fleetJobSchema = v.object(ended);
export type FleetJob = v.InferOutput<typeof fleetJobSchema>;

/** One line of `cuervo fleet results --json`. */
export const fleetResultSchema = v.object({
  ...ended,
  content: v.string(),
  evidence: v.pipe(v.array(v.string()), v.description('`path:line`')),
  digest: v.pipe(v.string(), v.description('SHA-256 of outcome, content and patch')),
  patch: v.exactOptional(v.pipe(v.string(), v.description('SHA-256 of the patch'))),
  journal: v.exactOptional(v.pipe(v.string(), v.description('SHA-256 of the events'))),
});
export type FleetResult = v.InferOutput<typeof fleetResultSchema>;

/** One line of `cuervo fleet apply --json` and `cuervo fleet undo --json`. */
export const fleetChangeSchema = v.object({
  run: v.string(),
  repository: v.string(),
  kind: v.picklist(['branch', 'file']),
  name: v.pipe(v.string(), v.description('of the branch, or the path of the patch')),
  made: v.pipe(v.string(), v.description('commit of the branch, or SHA-256 of the file')),
  left: v.exactOptional(v.pipe(v.string(), v.description('why it was left as it is'))),
});
export type FleetChange = v.InferOutput<typeof fleetChangeSchema>;
