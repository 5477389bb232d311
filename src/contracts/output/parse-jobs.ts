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
