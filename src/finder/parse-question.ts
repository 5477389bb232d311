import * as v from 'valibot';
import type { ScanOptions, TallyOptions, WalkOptions } from '../fs/fs-types.ts';

/** What a plugin process asks for, in which any code may run. */
export type FinderQuestion = { start: string } & (
  | { call: 'walk'; options: WalkOptions }
  | { call: 'scan'; options: ScanOptions }
  | { call: 'tally'; options: TallyOptions }
);

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const globs = v.pipe(v.array(text(1024)), v.maxLength(256));

const walk = v.object({
  include: globs,
  exclude: globs,
  ignoreFiles: v.boolean(),
  hidden: v.boolean(),
  maxDepth: v.optional(count),
  limit: count,
});

const scan = v.object({
  walk,
  pattern: text(4096),
  literal: v.boolean(),
  caseInsensitive: v.boolean(),
  before: count,
  after: count,
  limit: count,
});

const tally = v.object({
  walk,
  words: v.pipe(v.array(v.pipe(text(64), v.minLength(1))), v.maxLength(64)),
  window: count,
  overlap: count,
  limit: count,
});

const question = v.variant('call', [
  v.object({ call: v.literal('walk'), start: text(4096), options: walk }),
  v.object({ call: v.literal('scan'), start: text(4096), options: scan }),
  v.object({ call: v.literal('tally'), start: text(4096), options: tally }),
]);

/** @returns undefined for anything else: then the process looks at the files itself */
export function parseFinderQuestion(asked: unknown): FinderQuestion | undefined {
  const parsed = v.safeParse(question, asked, { abortEarly: true });
  return parsed.success ? (parsed.output as FinderQuestion) : undefined;
}
