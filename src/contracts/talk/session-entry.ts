import type { InferOutput } from 'valibot';
import type { sessionEntrySchema } from '../output/parse-session.ts';

/** Something that was said or done in a session. */
export type SessionEntry = InferOutput<typeof sessionEntrySchema>;
