import * as v from 'valibot';
import { stopReasons } from '../talk.ts';

/**
 * What `--json` prints: one of these objects a line. The JSON Schemas below `schema/` are
 * generated from here, and `events.ts` takes its types from here.
 */
const ts = v.pipe(v.number(), v.description('milliseconds since the Unix epoch'));
const run = v.optional(v.string());
/** A list that is not changed after it was sent. */
const list = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.readonly());
const count = v.pipe(v.number(), v.minValue(0));
const effect = v.picklist(['pure', 'read', 'write', 'external']);
const json = v.record(v.string(), v.unknown());

const errorCode = v.picklist([
  'invalid-argument',
  'not-found',
  'permission-denied',
  'resource-exhausted',
  'deadline-exceeded',
  'canceled',
  'conflict',
  'unavailable',
  'tool-failed',
  'plugin-fault',
  'internal',
]);

const stepStatus = v.picklist(['ok', 'denied', 'error', 'timeout', 'canceled', 'skipped']);

const usage = {
  inputTokens: v.pipe(count, v.description('all of the prompts')),
  outputTokens: count,
  cachedTokens: v.optional(v.pipe(count, v.description('of the input, out of a cache'))),
  cacheWriteTokens: v.optional(v.pipe(count, v.description('of the input, written into a cache'))),
  usd: v.optional(v.pipe(count, v.description('absent where the price is unknown'))),
};

const errorBody = { code: errorCode, message: v.string(), hint: v.string() };

const notRead = v.pipe(
  list(v.object({ kind: v.string(), count, paths: list(v.string()) })),
  v.description('what steps came by and could not read; `unreadable`, or the kind of the file'),
);

export const cacheMisses = ['off', 'effects', 'small-model', 'new', 'unreadable'] as const;

const promptParts = v.object({
  tokens: count,
  messages: count,
  tools: v.pipe(count, v.description('tools that the model was shown')),
  leftOut: v.pipe(
    v.object({ observations: count, memory: count, tools: count }),
    v.description('what there was no room for'),
  ),
  shortened: v.pipe(count, v.description('earlier results and rounds that were made shorter')),
});

const evidenceSchema = v.object({
  path: v.pipe(v.string(), v.description('relative to the workspace')),
  line: v.pipe(v.number(), v.description('1-based')),
  endLine: v.pipe(v.number(), v.description('1-based, inclusive')),
  page: v.optional(
    v.pipe(v.number(), v.description('of a document; its lines are those of its text, from 1')),
  ),
  text: v.pipe(v.string(), v.description('the text of those lines')),
  score: v.number(),
});

export const eventSchemas = {
  'run-started': v.object({
    type: v.literal('run-started'),
    ts,
    run,
    command: v.string(),
    question: v.optional(v.string()),
    tool: v.optional(v.string()),
    workspace: v.string(),
    model: v.pipe(v.string(), v.description('`none` without one')),
  }),
  plan: v.object({
    type: v.literal('plan'),
    ts,
    run,
    steps: list(
      v.object({
        id: v.string(),
        tool: v.string(),
        input: v.pipe(
          json,
          v.description('a value from an earlier step is {"$from": STEP, "path": JSON pointer}'),
        ),
        needs: list(v.string()),
        effect,
        insteadOf: v.optional(
          v.pipe(
            v.string(),
            v.description('a step that failed, which this one is planned anew for'),
          ),
        ),
      }),
    ),
    capabilities: list(
      v.object({
        capability: v.string(),
        detail: v.optional(v.string()),
        decision: v.picklist(['allow', 'ask', 'deny']),
      }),
    ),
  }),
  'step-started': v.object({
    type: v.literal('step-started'),
    ts,
    run,
    step: v.string(),
    tool: v.string(),
    plugin: v.string(),
    digest: v.string(),
  }),
  'step-finished': v.object({
    type: v.literal('step-finished'),
    ts,
    run,
    step: v.string(),
    status: stepStatus,
    summary: v.string(),
    durationMs: count,
    bytes: count,
    error: v.optional(v.object(errorBody)),
  }),
  text: v.object({
    type: v.literal('text'),
    ts,
    run,
    delta: v.string(),
    mode: v.optional(v.pipe(v.literal('extractive'), v.description('absent for words of a model'))),
    replaces: v.optional(
      v.pipe(
        v.literal(true),
        v.description(
          'the words of this reply before it turned out to be thoughts, or half a call',
        ),
      ),
    ),
  }),
  guard: v.object({
    type: v.literal('guard'),
    ts,
    run,
    point: v.pipe(
      v.picklist(['before-model', 'tool-result', 'after-model']),
      v.description('text that leaves, results of tools, or words and calls of the model'),
    ),
    check: v.picklist([
      'secret',
      'personal-data',
      'hidden-text',
      'delimiter',
      'orders',
      'echo',
      'link',
      'stand-in',
    ]),
    action: v.picklist(['redacted', 'escaped', 'flagged', 'withheld', 'restored', 'refused']),
    counts: v.pipe(
      v.record(v.string(), count),
      v.description('how many of each kind, never the thing itself'),
    ),
    source: v.optional(v.pipe(v.string(), v.description('a place, a tool or a host'))),
  }),
  usage: v.object({
    type: v.literal('usage'),
    ts,
    run,
    round: v.pipe(count, v.description('requests of this run to a model, from 1')),
    ...usage,
    model: v.optional(v.pipe(v.string(), v.description('the one that answered'))),
    stop: v.optional(
      v.pipe(
        v.string(),
        v.description('why the reply ended; `broken` where it did not come whole'),
      ),
    ),
    attempts: v.optional(v.pipe(count, v.description('requests for this reply; 0 from a cache'))),
    cacheMiss: v.optional(
      v.pipe(v.picklist(cacheMisses), v.description('why no kept reply was used')),
    ),
    purpose: v.optional(
      v.pipe(v.literal('summary'), v.description('it summed the conversation up')),
    ),
    durationMs: v.optional(count),
    request: v.optional(v.pipe(v.string(), v.description('SHA-256 of what was sent, hex'))),
    reply: v.optional(v.pipe(v.string(), v.description('SHA-256 of words and calls, hex'))),
    prompt: v.optional(promptParts),
    spent: v.object({
      rounds: count,
      toolCalls: count,
      tokens: v.pipe(count, v.description('those out of a cache by what they cost')),
      usd: v.optional(count),
      durationMs: count,
    }),
  }),
  answer: v.object({
    type: v.literal('answer'),
    ts,
    run,
    text: v.string(),
    mode: v.picklist(['model', 'extractive']),
    evidence: v.pipe(list(evidenceSchema), v.description('best first')),
    memory: list(v.object({ id: v.string(), layer: v.string(), score: v.number() })),
    leftOut: v.optional(
      v.pipe(list(v.string()), v.description('what the question asks for and no step applied')),
    ),
    notRead: v.optional(notRead),
    changed: v.optional(v.pipe(count, v.description('changes that were made'))),
    denied: v.optional(v.pipe(count, v.description('changes that were denied'))),
    usage: v.optional(v.object(usage)),
    by: v.optional(
      v.pipe(v.string(), v.description('the model that worded it, where another one was asked')),
    ),
    stop: v.optional(
      v.pipe(
        v.picklist(stopReasons),
        v.description('why the rounds with a model ended; absent where none was asked'),
      ),
    ),
  }),
  result: v.object({
    type: v.literal('result'),
    ts,
    run,
    content: v.string(),
    summary: v.string(),
    notRead: v.optional(notRead),
  }),
  error: v.object({ type: v.literal('error'), ts, run, ...errorBody }),
  'run-finished': v.object({
    type: v.literal('run-finished'),
    ts,
    run,
    status: v.pipe(v.string(), v.description('`ok` or an error code')),
    exitCode: v.number(),
    durationMs: count,
    toolMs: v.pipe(count, v.description('time in which at least one step was running')),
    modelMs: count,
  }),
};

export const eventSchema = v.variant('type', [
  eventSchemas['run-started'],
  eventSchemas.plan,
  eventSchemas['step-started'],
  eventSchemas['step-finished'],
  eventSchemas.text,
  eventSchemas.guard,
  eventSchemas.usage,
  eventSchemas.answer,
  eventSchemas.result,
  eventSchemas.error,
  eventSchemas['run-finished'],
]);
