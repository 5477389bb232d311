import * as v from 'valibot';

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
