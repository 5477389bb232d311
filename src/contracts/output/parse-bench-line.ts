import * as v from 'valibot';

/** One line of every `npm run bench… -- --json`. */
export const benchLineSchema = v.object({
  name: v.string(),
  value: v.pipe(
    v.nullable(v.number()),
    v.description('median; null when it could not be measured, and note says why'),
  ),
  unit: v.string(),
  runs: v.pipe(v.number(), v.minValue(0), v.description('samples behind the value')),
  peer: v.exactOptional(
    v.pipe(v.string(), v.description('what it was measured beside, in the same run')),
  ),
  peerValue: v.exactOptional(v.number()),
  ratio: v.exactOptional(v.pipe(v.number(), v.description('value / peerValue'))),
  reach: v.pipe(v.string(), v.description('the bound, or "reported"')),
  ok: v.boolean(),
  note: v.exactOptional(v.string()),
});
