import * as v from 'valibot';

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** What `cuervo model test MODEL --json` prints. */
export const modelScoreSchema = v.object({
  model: v.pipe(v.string(), v.description('as it was named')),
  choose: v.pipe(share, v.description('tool choices that were right')),
  word: v.pipe(share, v.description('answers that kept to their evidence')),
  role: v.pipe(
    v.picklist(['choose', 'word', 'none']),
    v.description('none: evidence alone is better than its words'),
  ),
  charsPerSecond: v.pipe(v.number(), v.minValue(0)),
  tookMs: v.pipe(v.number(), v.minValue(0)),
});
