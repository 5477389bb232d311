import * as v from 'valibot';
import { KernelError } from '../error.ts';
import { type MemoryRecord, memoryLayers, memoryScopes } from '../memory.ts';

const factor = v.number();

const ms = v.pipe(v.number(), v.description('milliseconds since the Unix epoch'));
const kind = v.pipe(
  v.string(),
  v.description(
    'fact, decision, preference, question, answer, passage or event, or what a plugin calls it',
  ),
);

/** The later state of a row. */
const state = {
  scope: v.exactOptional(v.picklist(memoryScopes)),
  subject: v.exactOptional(v.pipe(v.string(), v.description('what a fact is about'))),
  holdsMs: v.exactOptional(v.pipe(v.number(), v.description('from when on it holds'))),
  replaces: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('ids of the facts that it replaced')),
  ),
  replacedBy: v.exactOptional(v.pipe(v.string(), v.description('id of the fact that replaced it'))),
  endedMs: v.exactOptional(v.pipe(v.number(), v.description('when it was said to have ended'))),
  why: v.exactOptional(v.pipe(v.string(), v.description('why it is in its layer'))),
  stays: v.exactOptional(v.literal(true)),
};

/** One line of `cuervo memory search --json`. */
export const memoryHitSchema = v.object({
  id: v.pipe(v.string(), v.description('hash of scope and text')),
  layer: v.picklist(['interact', 'insights', 'assets']),
  score: v.pipe(v.number(), v.description('higher is better; the product of its factors')),
  text: v.string(),
  kind,
  tags: v.array(v.string()),
  project: v.pipe(v.string(), v.description('absolute path of the workspace')),
  session: v.exactOptional(v.string()),
  source: v.exactOptional(
    v.pipe(v.string(), v.description('a path relative to the workspace, or a tool')),
  ),
  run: v.exactOptional(v.pipe(v.string(), v.description('the run that produced it'))),
  ts: ms,
  ...state,
  replaced: v.exactOptional(
    v.array(v.object({ id: v.string(), text: v.string(), ts: v.number() })),
  ),
  factors: v.object({
    bm25: v.exactOptional(factor),
    cosine: v.exactOptional(factor),
    meaning: v.exactOptional(factor),
    likeness: v.exactOptional(factor),
    fused: factor,
    layerWeight: factor,
    decay: factor,
    fit: v.exactOptional(
      v.pipe(
        v.number(),
        v.description(
          'of a fact, where a time or a number is asked for: 1 if it holds one, else less',
        ),
      ),
    ),
    rerank: v.exactOptional(factor),
  }),
});

/** Characters of one line of `cuervo memory export`. */
export const maxRowCharacters = 1 << 20;

const layerSchema = v.picklist(memoryLayers);

const rowSchema = v.object({
  layer: layerSchema,
  text: v.string(),
  context: v.string(),
  kind,
  tags: v.array(v.string()),
  project: v.string(),
  session: v.exactOptional(v.string()),
  run: v.exactOptional(v.string()),
  source: v.exactOptional(v.string()),
  ts: v.number(),
  ...state,
});

/** One line of `cuervo memory list|show|export --json`. */
export const memoryRowSchema = v.object({
  id: v.pipe(v.string(), v.description('hash of scope and text')),
  ...rowSchema.entries,
});

/** One line of `cuervo memory stats --json`. */
export const layerStatsSchema = v.object({
  layer: layerSchema,
  rows: v.number(),
  pending: v.pipe(v.number(), v.description('of rows: durable and not yet in the table')),
  fragments: v.number(),
  bytes: v.pipe(v.number(), v.description('on disk, with old versions and indices')),
  embedder: v.pipe(v.string(), v.description('what made the vectors; empty for none')),
  dimensions: v.number(),
  oldestMs: v.exactOptional(v.number()),
  newestMs: v.exactOptional(v.number()),
});

/** `cuervo memory forget --json`: rows taken from each layer. */
export const layerCountsSchema = v.object({
  interact: v.number(),
  insights: v.number(),
  assets: v.number(),
});

/** `cuervo memory add --json`. */
export const addedSchema = v.object({
  added: v.pipe(v.number(), v.description('sources that were read anew')),
  unchanged: v.number(),
  skipped: v.pipe(v.number(), v.description('no text, or too large')),
  unreadable: v.pipe(v.number(), v.description('files and folders that could not be read')),
  unreadablePaths: v.pipe(v.array(v.string()), v.description('the first 20 of them')),
  chunks: v.pipe(v.number(), v.description('pieces that were written')),
  removed: v.pipe(v.number(), v.description('pieces of earlier versions, taken away')),
});
export type Added = v.InferOutput<typeof addedSchema>;

/** `cuervo index --json`. */
export const indexedSchema = v.object({
  ...addedSchema.entries,
  gone: v.pipe(v.number(), v.description('files that were deleted, or are ignored now')),
  forgotten: v.pipe(v.number(), v.description('files that were forgotten, and stay out')),
});
export type Indexed = v.InferOutput<typeof indexedSchema>;

/** `cuervo index --status --json`. */
export const indexStateSchema = v.object({
  files: v.pipe(v.number(), v.description('that the index has; 0 where there is none')),
  changed: v.number(),
  added: v.number(),
  gone: v.number(),
  search: v.pipe(
    v.object({
      state: v.pipe(
        v.picklist(['watched', 'walked', 'none']),
        v.description('`walked`: changes are looked for before each answer'),
      ),
      files: v.pipe(v.number(), v.description('files known as they are')),
      stale: v.pipe(v.number(), v.description('files that changed since, or are new')),
      gone: v.number(),
    }),
    v.description('the part by which searches leave out files'),
  ),
});
export type IndexState = v.InferOutput<typeof indexStateSchema>;

/** `cuervo memory explain --json`. */
export const memoryExplanationSchema = v.object({
  id: v.string(),
  layer: layerSchema,
  kind: v.string(),
  tags: v.pipe(v.array(v.string()), v.readonly()),
  source: v.exactOptional(v.string()),
  ts: v.number(),
  layerWeight: v.number(),
  decay: v.pipe(v.number(), v.description('as of now, 0.2 to 1')),
  run: v.exactOptional(
    v.object({
      id: v.string(),
      question: v.string(),
      tools: v.array(v.string()),
      recalled: v.array(
        v.object({
          id: v.string(),
          layer: layerSchema,
          score: v.number(),
          text: v.exactOptional(v.string()),
        }),
      ),
    }),
  ),
  usedBy: v.array(v.object({ run: v.string(), question: v.string() })),
  search: v.exactOptional(
    v.object({
      query: v.string(),
      of: v.pipe(v.number(), v.description('hits that were looked at')),
      rank: v.exactOptional(v.pipe(v.number(), v.description('from 1; absent: not among them'))),
      score: v.exactOptional(v.number()),
      factors: v.exactOptional(memoryHitSchema.entries.factors),
    }),
  ),
});
export type MemoryExplanation = v.InferOutput<typeof memoryExplanationSchema>;

/** One line of `cuervo memory promote --json`. */
export const promotedSchema = v.object({
  id: v.pipe(v.string(), v.description('the new row in insights')),
  from: v.pipe(v.string(), v.description('the turn it was made of')),
});

/** `cuervo memory import|reembed --json`. */
export const rowsDoneSchema = v.object({ rows: v.number() });

/** `cuervo memory compact --json`. */
export const layersDoneSchema = v.object({ layers: v.array(layerSchema) });

const onlyExported = 'Only what cuervo memory export wrote can be imported.';

/**
 * One line of `cuervo memory export`; its id is left out, as it follows from the rest.
 *
 * @param place names the line in errors
 * @throws {KernelError} `invalid-argument`
 */
export function parseMemoryRow(line: string, place: string): MemoryRecord {
  if (line.length > maxRowCharacters) {
    const message = `${place} has more than ${maxRowCharacters} characters, the limit of a row`;
    throw new KernelError('invalid-argument', message, { hint: onlyExported });
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (thrown) {
    throw new KernelError('invalid-argument', `${place} is not JSON`, {
      cause: thrown,
      hint: onlyExported,
    });
  }
  const parsed = v.safeParse(rowSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue) ?? 'the row';
  throw new KernelError('invalid-argument', `${place}: ${path}: ${issue.message}`, {
    hint: onlyExported,
  });
}
