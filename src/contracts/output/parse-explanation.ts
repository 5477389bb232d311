import * as v from 'valibot';
import { eventSchemas } from './parse-events.ts';
import { journalBodies } from './parse-journal.ts';

const count = v.pipe(v.number(), v.minValue(0));
const { usage, answer, guard } = eventSchemas;

const explainedStep = v.object({
  step: v.string(),
  tool: v.string(),
  plugin: v.string(),
  status: v.string(),
  durationMs: count,
  attempts: count,
  summary: v.string(),
  insteadOf: v.exactOptional(v.pipe(v.string(), v.description('a step that failed before'))),
  calls: v.pipe(count, v.description('host calls that it made')),
});

const requestSchema = v.omit(usage, ['type', 'ts', 'run', 'spent']);

/** What `cuervo explain --json` prints. */
export const explanationSchema = v.object({
  run: v.string(),
  command: v.string(),
  question: v.string(),
  workspace: v.string(),
  status: v.string(),
  startedMs: count,
  durationMs: v.exactOptional(count),
  reading: v.exactOptional(journalBodies.reading),
  model: v.object({
    name: v.string(),
    from: v.exactOptional(v.pipe(v.string(), v.description('what named it'))),
    answered: v.pipe(v.array(v.string()), v.description('models whose replies were used')),
  }),
  steps: v.array(explainedStep),
  requests: v.pipe(
    v.array(requestSchema),
    v.description('to models: what went into each prompt, and what there was no room for'),
  ),
  shortened: v.pipe(count, v.description('how often the conversation was made shorter')),
  memory: v.object({
    read: v.array(
      v.object({
        id: v.string(),
        layer: v.string(),
        score: v.number(),
        used: v.pipe(v.boolean(), v.description('the answer drew on it')),
      }),
    ),
    written: journalBodies['memory-write'].entries.rows,
  }),
  allowed: v.array(v.object({ ...journalBodies.grant.entries, times: count })),
  denied: v.array(
    v.object({ step: v.string(), call: v.string(), target: v.string(), times: count }),
  ),
  guard: v.array(v.omit(guard, ['type', 'ts', 'run'])),
  answer: v.exactOptional(
    v.object({ mode: answer.entries.mode, places: count, stop: v.optional(v.string()) }),
  ),
  error: v.exactOptional(journalBodies.error),
  cost: v.object({
    requests: count,
    inputTokens: count,
    cachedTokens: count,
    outputTokens: count,
    usd: v.exactOptional(v.pipe(count, v.description('of the requests whose price is known'))),
    unpriced: v.pipe(count, v.description('requests whose price is unknown')),
    modelMs: count,
    toolMs: count,
  }),
  missing: v.pipe(v.array(v.string()), v.description('what the journal does not hold any more')),
});
export type Explanation = v.InferOutput<typeof explanationSchema>;
