import * as v from 'valibot';

/** Where models come from; each has a row in `src/models/model-providers.ts`. */
export const modelProviders = ['anthropic', 'openai', 'llama'] as const;

const usd = v.pipe(v.number(), v.minValue(0));

/** What `cuervo model list`, `show`, `add` and `use` print with `--json`. */
export const listedModelSchema = v.object({
  model: v.pipe(v.string(), v.description('as `--model` takes it')),
  provider: v.picklist([...modelProviders, 'none']),
  where: v.pipe(v.string(), v.description('an address, or the path of a file')),
  remote: v.pipe(v.boolean(), v.description('whether what it is asked leaves this machine')),
  chosen: v.pipe(v.boolean(), v.description('by `cuervo model use`')),
  contextTokens: v.optional(v.pipe(v.number(), v.description('absent when unknown'))),
  tools: v.optional(v.pipe(v.boolean(), v.description('whether it takes tools; absent: tried'))),
  sees: v.optional(v.pipe(v.boolean(), v.description('whether it reads images'))),
  price: v.optional(
    v.pipe(
      v.object({
        input: usd,
        output: usd,
        cached: v.optional(usd),
        cacheWrite: v.optional(usd),
      }),
      v.description('US dollars for a million tokens; absent when unknown'),
    ),
  ),
  speed: v.optional(
    v.pipe(
      v.object({
        readTokensPerSecond: v.number(),
        writeTokensPerSecond: v.number(),
      }),
      v.description('as its test measured it on this machine'),
    ),
  ),
  from: v.optional(
    v.pipe(
      v.object({ source: v.string(), licence: v.optional(v.string()) }),
      v.description('where `cuervo model pull` brought it from'),
    ),
  ),
  role: v.optional(
    v.pipe(v.picklist(['choose', 'word', 'none']), v.description('what its test found')),
  ),
});
export type ListedModel = v.InferOutput<typeof listedModelSchema>;

const count = v.pipe(v.number(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** What `cuervo model test MODEL --json` prints. */
export const modelScoreSchema = v.object({
  model: v.pipe(v.string(), v.description('as it was named')),
  choose: v.pipe(share, v.description('tool choices that were right')),
  none: v.pipe(share, v.description('questions without a right tool that it left alone')),
  word: v.pipe(share, v.description('answers that kept to their evidence')),
  role: v.pipe(
    v.picklist(['choose', 'word', 'none']),
    v.description('none: evidence alone is better than its words'),
  ),
  charsPerSecond: v.pipe(v.number(), v.minValue(0)),
  tookMs: v.pipe(v.number(), v.minValue(0)),
  measured: v.exactOptional(
    v.pipe(
      v.object({
        prefill: v.pipe(count, v.description('tokens of a prompt that are read in a second')),
        decode: v.pipe(count, v.description('tokens that are written in a second')),
        trainedTokens: count,
        contextTokens: v.pipe(count, v.description('that it is opened with')),
        memoryBytes: v.pipe(count, v.description('of its process')),
        hasTemplate: v.pipe(
          v.boolean(),
          v.description('whether its file says how a conversation is written'),
        ),
        margin: v.pipe(count, v.description('by which the best tool must be ahead')),
        subtractsNeutral: v.boolean(),
        aims: v.object({ firstTokenMs: count, durationMs: count }),
      }),
      v.description('of a model in a process of its own, on this machine'),
    ),
  ),
  reach: v.exactOptional(
    v.pipe(
      v.object({
        promptTokens: count,
        answerTokens: count,
        rounds: count,
        tools: count,
        firstTokenMs: v.pipe(count, v.description('of the longest prompt')),
      }),
      v.description('what follows for its questions'),
    ),
  ),
});
/** The task that a model can be trusted with. */
export type ModelScore = Omit<v.InferOutput<typeof modelScoreSchema>, 'model'>;

/** What `cuervo model pull SOURCE --json` prints. */
export const pulledModelSchema = v.object({
  model: v.pipe(v.string(), v.description('as `--model` takes it')),
  path: v.pipe(v.string(), v.description('its file, or the first of its parts')),
  bytes: v.pipe(v.number(), v.minValue(0)),
  sha256: v.pipe(v.string(), v.description('of its file; of the digests of all its parts')),
});
export type PulledModel = v.InferOutput<typeof pulledModelSchema>;
