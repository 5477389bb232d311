import { parse } from 'smol-toml';
import * as v from 'valibot';
import { KernelError, reasonOf } from '../contracts/error.ts';

const usd = v.pipe(v.number(), v.minValue(0));
const entry = v.strictObject({
  context: v.optional(v.pipe(v.number(), v.integer(), v.minValue(256))),
  tools: v.optional(v.boolean()),
  vision: v.optional(v.boolean()),
  input: v.optional(usd),
  output: v.optional(usd),
  cached: v.optional(usd),
  'cache-write': v.optional(usd),
});
const fileSchema = v.strictObject({ models: v.optional(v.record(v.string(), entry)) });

/** What a file says of models, by their names. */
export type KnownModels = Readonly<Record<string, v.InferOutput<typeof entry>>>;

/**
 * @param path for messages
 * @throws {KernelError} `invalid-argument` with the reason
 */
export function parseKnownModels(text: string, path: string): KnownModels {
  try {
    return v.parse(fileSchema, parse(text), { abortEarly: true }).models ?? {};
  } catch (thrown) {
    const key = thrown instanceof v.ValiError ? `"${v.getDotPath(thrown.issues[0])}" ` : '';
    const reason = reasonOf(thrown).split('\n', 1)[0];
    throw new KernelError('invalid-argument', `${path}: ${key}${reason}`, {
      cause: thrown,
      hint: `Correct ${path}; docs/models.md shows its form.`,
    });
  }
}
