import * as v from 'valibot';

/** One line of `cuervo doctor --json`. */
export const findingSchema = v.object({
  name: v.pipe(v.string(), v.description('what was looked at')),
  status: v.picklist(['ok', 'warn', 'fail']),
  finding: v.string(),
  fix: v.exactOptional(v.pipe(v.string(), v.description('the command that fixes it'))),
});
export type Finding = v.InferOutput<typeof findingSchema>;
