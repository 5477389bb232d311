import * as v from 'valibot';
import type { WideFindings } from './rank-files.ts';

const scored = { path: v.string(), score: v.number() };
const region = v.looseObject({ text: v.string() });
const wide = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    passages: v.array(v.looseObject(scored)),
    files: v.array(v.looseObject({ ...scored, regions: v.array(region) })),
    words: v.optional(v.array(v.string())),
    notText: v.optional(v.array(v.string())),
    told: v.optional(v.boolean()),
  }),
);

/** The result of the search, if it has regions; undefined for any other answer. */
export function parseWide(content: string): WideFindings | undefined {
  const { success, output } = v.safeParse(wide, content, { abortEarly: true });
  return success ? (output as unknown as WideFindings) : undefined;
}
