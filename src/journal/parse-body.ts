import * as v from 'valibot';
import type { JournalBody } from '../contracts/journal.ts';
import { journalBodies } from '../contracts/output/parse-journal.ts';

/** The contents of an event of a kind; undefined where they are none of it. */
export function parseBody<Kind extends 'removed' | 'gap'>(
  kind: Kind,
  body: string,
): JournalBody<Kind> | undefined {
  try {
    const parsed = v.safeParse(journalBodies[kind], JSON.parse(body), { abortEarly: true });
    return parsed.success ? (parsed.output as JournalBody<Kind>) : undefined;
  } catch {
    return undefined;
  }
}
