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
