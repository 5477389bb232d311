import * as v from 'valibot';

/** The parts that are read of a model folder's JSON files; all else in them is left alone. */
const count = v.pipe(v.number(), v.integer(), v.minValue(1));

const configSchema = v.object({
  model_type: v.string(),
  architectures: v.optional(v.array(v.string())),
  hidden_size: v.optional(count),
  max_position_embeddings: v.optional(count),
});

const poolingSchema = v.object({
  pooling_mode_cls_token: v.optional(v.boolean()),
  pooling_mode_mean_tokens: v.optional(v.boolean()),
  pooling_mode_lasttoken: v.optional(v.boolean()),
  pooling_mode: v.optional(v.string()),
});

const lengthSchema = v.object({ max_seq_length: v.optional(v.nullable(count)) });

const promptsSchema = v.object({ prompts: v.optional(v.record(v.string(), v.string())) });

const schemas = {
  'config.json': configSchema,
  '1_Pooling/config.json': poolingSchema,
  'sentence_bert_config.json': lengthSchema,
  'config_sentence_transformers.json': promptsSchema,
} as const;

export type ModelFileName = keyof typeof schemas;
export type ModelFileContent<Name extends ModelFileName> = v.InferOutput<(typeof schemas)[Name]>;

/** @throws {Error} naming the key that is wrong, or where the text stops being JSON */
export function parseModelFile<Name extends ModelFileName>(
  name: Name,
  text: string,
): ModelFileContent<Name> {
  const parsed = v.safeParse(schemas[name], JSON.parse(text), { abortEarly: true });
  if (parsed.success) return parsed.output as ModelFileContent<Name>;
  const [issue] = parsed.issues;
  throw new Error(`"${v.getDotPath(issue) ?? '(all)'}": ${issue.message}`);
}
