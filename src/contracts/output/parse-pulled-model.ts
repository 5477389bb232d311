import * as v from 'valibot';

/** What `cuervo model pull SOURCE --json` prints. */
export const pulledModelSchema = v.object({
  model: v.pipe(v.string(), v.description('as `--model` takes it')),
  path: v.pipe(v.string(), v.description('its file, or the first of its parts')),
  bytes: v.pipe(v.number(), v.minValue(0)),
  sha256: v.pipe(v.string(), v.description('of its file; of the digests of all its parts')),
});
export type PulledModel = v.InferOutput<typeof pulledModelSchema>;
