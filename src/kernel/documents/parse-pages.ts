import * as v from 'valibot';
import { maxPages, type ReadPages } from '../../documents/read-pages.ts';

const readPages = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.object({ fault: v.pipe(v.string(), v.maxLength(300)) }),
    v.object({
      pages: v.pipe(v.array(v.string()), v.maxLength(maxPages + 1)),
      isCut: v.exactOptional(v.boolean()),
    }),
  ]),
);

/**
 * What the process that reads a document says of it. It read what a stranger made, so this is
 * checked as a stranger's.
 *
 * @returns undefined for anything else
 */
export function parsePages(json: string): ReadPages | undefined {
  const { success, output } = v.safeParse(readPages, json, { abortEarly: true });
  return success ? output : undefined;
}
