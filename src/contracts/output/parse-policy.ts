import * as v from 'valibot';

const decision = v.picklist(['allow', 'ask', 'deny']);

/** `cuervo policy test --json`. */
export const testedCommandSchema = v.object({
  command: v.string(),
  decision,
  rule: v.pipe(v.string(), v.description('that decides; default when none does')),
  reason: v.string(),
  cannotRun: v.exactOptional(
    v.pipe(v.string(), v.description('why no program of it can run here; absent where it can')),
  ),
});
export type TestedCommand = v.InferOutput<typeof testedCommandSchema>;

/** One line of `cuervo policy rules --json`. */
export const listedRuleSchema = v.object({
  name: v.string(),
  source: v.picklist(['shipped', 'user']),
  decision,
  programs: v.array(v.string()),
  reason: v.string(),
  set: v.exactOptional(v.string()),
});
export type ListedRule = v.InferOutput<typeof listedRuleSchema>;
