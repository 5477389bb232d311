import * as v from 'valibot';

const count = v.pipe(v.number(), v.minValue(0));
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
