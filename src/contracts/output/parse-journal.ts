import * as v from 'valibot';
import { stopReasons } from '../talk.ts';
import { hostErrorCases } from '../tool.ts';
import { eventSchemas } from './parse-events.ts';

/**
 * What the journal keeps: one schema for the body of each kind of event. The types of
 * `contracts/journal.ts` come from here.
 */
const count = v.pipe(v.number(), v.minValue(0));
const json = v.record(v.string(), v.unknown());
const recorded = v.exactOptional(
  v.pipe(v.string(), v.description('JSON; absent where it was too large, or held a secret')),
);
const digest = v.pipe(v.string(), v.description('SHA-256, hex'));

const { plan, guard, usage, answer, error } = eventSchemas;

const hostCallBody = v.object({
  call: v.pipe(v.string(), v.description('e.g. `fs.read-text`')),
  target: v.string(),
  outcome: v.picklist(['ok', ...hostErrorCases]),
  durationMs: count,
  bytes: v.exactOptional(v.pipe(v.number(), v.integer())),
  times: v.exactOptional(v.pipe(count, v.description('refusals that this one stands for'))),
  notRead: answer.entries.notRead,
  args: recorded,
  answer: recorded,
  digest: v.exactOptional(v.pipe(digest, v.description('of the answer'))),
});

const stepBody = v.object({
  tool: v.string(),
  plugin: v.string(),
  digest: v.pipe(v.string(), v.description('of the binary of the plugin; empty for a kernel tool')),
  input: json,
  isRedacted: v.exactOptional(
    v.pipe(v.boolean(), v.description('the input held a secret, which is not kept')),
  ),
  status: v.string(),
  summary: v.string(),
  durationMs: count,
  bytes: count,
  attempts: count,
  content: v.exactOptional(
    v.pipe(v.string(), v.description('absent above 64 KiB, and where it held a secret')),
  ),
  contentDigest: v.exactOptional(digest),
});

const memoryRow = v.object({ id: v.string(), layer: v.string(), kind: v.string() });
const place = v.object({ run: v.string(), rounds: count });

export const journalBodies = {
  run: v.object({
    command: v.string(),
    model: v.string(),
    modelFrom: v.exactOptional(v.pipe(v.string(), v.description('what named it'))),
  }),
  reading: v.object({
    kind: v.pipe(v.string(), v.description('`call`, `note`, or the kind of question')),
    others: v.pipe(v.array(v.string()), v.description('kinds that it could be, too')),
    images: v.exactOptional(
      v.pipe(
        v.array(v.object({ source: v.string(), type: v.string(), bytes: count, digest })),
        v.description('that were attached and sent to the model'),
      ),
    ),
  }),
  plan: v.omit(plan, ['type', 'ts', 'run']),
  step: stepBody,
  'host-call': hostCallBody,
  decision: v.object({
    command: v.string(),
    what: v.pipe(v.string(), v.description('what was allowed, denied or taken back')),
  }),
  grant: v.object({
    plugin: v.string(),
    grant: v.pipe(v.string(), v.description('e.g. `exec:npm`')),
    by: v.pipe(
      v.picklist(['grant', 'rule', 'sandbox', 'person']),
      v.description('a kept or typed grant, a rule on programs, the sandbox alone, or an answer'),
    ),
  }),
  'memory-read': v.object({
    rows: v.array(v.object({ id: v.string(), layer: v.string(), score: v.number() })),
  }),
  'memory-write': v.object({ rows: v.array(memoryRow) }),
  network: v.object({
    method: v.string(),
    origin: v.string(),
    what: v.pipe(v.string(), v.description('what was wanted')),
    outcome: v.pipe(v.string(), v.description('the status of the answer, or an error code')),
    bytes: count,
    durationMs: count,
  }),
  compaction: v.object({
    results: v.pipe(place, v.description('rounds whose results are a line each')),
    calls: v.pipe(place, v.description('rounds that are their calls alone')),
    summary: v.exactOptional(v.object({ through: v.string(), model: v.string(), digest })),
  }),
  job: v.object({
    job: v.string(),
    why: v.string(),
    outcome: v.string(),
    durationMs: count,
    summary: v.string(),
  }),
  guard: v.omit(guard, ['type', 'ts', 'run']),
  'model-call': v.omit(usage, ['type', 'ts', 'run']),
  answer: v.object({
    mode: answer.entries.mode,
    evidence: v.array(v.object({ path: v.string(), line: v.number(), endLine: v.number() })),
    memory: answer.entries.memory,
    stop: v.optional(v.picklist(stopReasons)),
  }),
  error: v.omit(error, ['type', 'ts', 'run']),
  'run-finished': v.object({ status: v.string(), durationMs: count }),
  removed: v.object({
    why: v.picklist(['forget', 'prune']),
    runs: v.array(v.string()),
  }),
  gap: v.object({
    lost: v.pipe(count, v.description('events that the database refused')),
    reason: v.string(),
  }),
};

export type JournalKind = keyof typeof journalBodies;

const kinds = Object.keys(journalBodies) as JournalKind[];

/** One line of `cuervo runs export --json`. */
export const journalEventSchema = v.variant(
  'kind',
  kinds.map((kind) =>
    v.object({
      seq: v.pipe(v.number(), v.description('grows; of all runs together')),
      run: v.exactOptional(v.string()),
      step: v.exactOptional(v.string()),
      kind: v.literal(kind),
      ts: v.pipe(v.number(), v.description('milliseconds since the Unix epoch')),
      body: v.exactOptional(
        v.pipe(journalBodies[kind], v.description('absent once it was forgotten or pruned')),
      ),
    }),
  ) as never,
);

/** What `cuervo audit verify --json` prints. */
export const auditReportSchema = v.object({
  whole: v.pipe(v.boolean(), v.description('nothing was changed, moved or cut')),
  events: count,
  heads: v.pipe(count, v.description('ends that were signed')),
  unsigned: v.pipe(count, v.description('events behind the last signed end')),
  problems: v.array(
    v.object({
      seq: v.pipe(v.number(), v.description('of the event; 0 for none')),
      problem: v.string(),
    }),
  ),
  notes: v.pipe(v.array(v.string()), v.description('what was removed, and what was not written')),
});
export type AuditReport = v.InferOutput<typeof auditReportSchema>;

const replayedStepSchema = v.object({
  step: v.string(),
  tool: v.string(),
  outcome: v.picklist(['alike', 'different', 'not-replayed']),
  calls: v.pipe(count, v.description('host calls that it made again')),
  differences: v.array(
    v.object({
      at: v.pipe(v.string(), v.description('`call 3`, `end` or `result`')),
      field: v.string(),
      recorded: v.pipe(v.unknown(), v.description('null for nothing')),
      replayed: v.pipe(v.unknown(), v.description('null for nothing')),
    }),
  ),
  why: v.exactOptional(v.pipe(v.string(), v.description('it was not replayed'))),
  recordedMs: v.exactOptional(count),
  replayedMs: v.exactOptional(count),
});
export type ReplayedStep = v.InferOutput<typeof replayedStepSchema>;

/** What `cuervo runs replay --json` prints. */
export const replayReportSchema = v.object({
  run: v.string(),
  alike: v.pipe(v.boolean(), v.description('every step was replayed and came to the same')),
  startMs: v.exactOptional(v.pipe(count, v.description('until plugins were ready to be called'))),
  steps: v.array(replayedStepSchema),
});
export type ReplayReport = v.InferOutput<typeof replayReportSchema>;

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

const times = { p50Ms: count, p95Ms: count };

/** What `cuervo stats --json` prints. */
export const statsSchema = v.object({
  sinceMs: v.exactOptional(v.pipe(count, v.description('absent for all that is kept'))),
  runs: v.object({ total: count, ...times, byCommand: v.record(v.string(), count) }),
  sessions: v.pipe(count, v.description('in which something was said')),
  failures: v.pipe(
    v.array(v.object({ code: v.string(), times: count })),
    v.description('how runs failed, the most frequent first'),
  ),
  tools: v.array(
    v.object({ tool: v.string(), plugin: v.string(), calls: count, failed: count, ...times }),
  ),
  plugins: v.array(
    v.object({ plugin: v.string(), calls: count, failed: count, tools: count, ms: count }),
  ),
  hostCalls: v.array(v.object({ call: v.string(), times: count, denied: count, failed: count })),
  models: v.array(
    v.object({
      model: v.string(),
      requests: count,
      attempts: count,
      inputTokens: count,
      cachedTokens: count,
      outputTokens: count,
      usd: v.exactOptional(count),
      ...times,
    }),
  ),
  cache: v.object({
    replies: v.pipe(count, v.description('replies out of our own cache')),
    cachedShare: v.pipe(v.number(), v.description('of the input tokens, out of the provider’s')),
  }),
  memory: v.object({ read: count, used: count, written: count }),
  answers: v.record(v.string(), count),
  jobs: v.object({ done: count, failed: count }),
  guard: v.pipe(
    v.array(v.object({ action: v.string(), check: v.string(), times: count })),
    v.description('what was redacted, escaped, flagged, withheld or refused, and why'),
  ),
  shortened: v.pipe(
    v.object({
      times: count,
      requests: v.pipe(count, v.description('that summed a conversation up')),
      tokens: count,
      usd: v.exactOptional(count),
      ms: count,
    }),
    v.description('conversations that had no room'),
  ),
  gaps: v.pipe(count, v.description('events that could not be written')),
});
export type Stats = v.InferOutput<typeof statsSchema>;

/** One line of `cuervo runs blame --json`. */
export const blamedLinesSchema = v.object({
  line: v.pipe(v.number(), v.description('1-based')),
  endLine: v.pipe(v.number(), v.description('1-based, inclusive')),
  run: v.exactOptional(v.pipe(v.string(), v.description('absent where no run wrote them'))),
  command: v.exactOptional(v.string()),
  question: v.exactOptional(v.string()),
  ts: v.exactOptional(v.pipe(v.number(), v.description('milliseconds since the Unix epoch'))),
  isSure: v.pipe(
    v.boolean(),
    v.description('false where something else changed the file behind that run'),
  ),
});
export type BlamedLines = v.InferOutput<typeof blamedLinesSchema>;
