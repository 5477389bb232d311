import * as v from 'valibot';

const factor = v.number();

/** One line of `cuervo memory search --json`. */
export const memoryHitSchema = v.object({
  id: v.pipe(v.string(), v.description('hash of scope and text')),
  layer: v.picklist(['interact', 'insights', 'assets']),
  score: v.pipe(v.number(), v.description('higher is better; the product of its factors')),
  text: v.string(),
  kind: v.pipe(v.string(), v.description('question, answer, note, …')),
  tags: v.array(v.string()),
  project: v.pipe(v.string(), v.description('absolute path of the workspace')),
  session: v.exactOptional(v.string()),
  source: v.exactOptional(
    v.pipe(v.string(), v.description('a path relative to the workspace, or a tool')),
  ),
  run: v.exactOptional(v.pipe(v.string(), v.description('the run that produced it'))),
  ts: v.pipe(v.number(), v.description('milliseconds since the Unix epoch')),
  factors: v.object({
    bm25: v.exactOptional(factor),
    cosine: v.exactOptional(factor),
    fused: factor,
    layerWeight: factor,
    decay: factor,
    rerank: v.exactOptional(factor),
  }),
});
