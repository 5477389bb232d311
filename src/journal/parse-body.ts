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

const reply = v.union([
  v.object({ error: v.object({ tag: v.string(), val: v.string() }) }),
  v.object({ value: v.optional(v.unknown()) }),
]);

/** What the host answered; undefined for what is no answer. */
export function parseReply(text: string): v.InferOutput<typeof reply> | undefined {
  try {
    const parsed = v.safeParse(reply, JSON.parse(text), { abortEarly: true });
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
