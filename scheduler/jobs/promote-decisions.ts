import type { Kernel, MemoryRow } from '../../src/index.ts';
import { hourMs, type Job, type JobContext, minuteMs } from '../job.ts';

/** What one run promotes at most; the rest follows in the next. */
const maxRows = 1_000;
/** Three answers within some hours, or more over a day: each counts less as it ages. */
const minUseScore = 2.5;

/** Copies what is worth more than a day from `interact` to `insights`. */
export const promoteDecisions: Job = {
  name: 'promote_decisions',
  about: 'keeps decisions and notes beyond the day that turns are kept',
  everyMs: 6 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel, context) => {
    const promoted = await promote(kernel, context);
    const summary =
      promoted.length === 0
        ? 'nothing new to promote'
        : `promoted ${promoted.length} ${promoted.length === 1 ? 'row' : 'rows'} to insights`;
    return { summary, details: promoted };
  },
};

/** @returns a line for each row that is new in `insights` */
export async function promote(kernel: Kernel, { signal }: JobContext): Promise<string[]> {
  const memory = await kernel.memory();
  const options = { signal, limit: maxRows };
  const decided = await memory.list({ layer: 'interact', tags: ['decision'] }, options);
  const noted = await memory.list({ layer: 'interact', kinds: ['note'] }, options);
  const uses = await kernel.jobs.usedOften(minUseScore);
  const ids = [...uses.keys()].slice(0, maxRows);
  const used = ids.length === 0 ? [] : await memory.list({ layer: 'interact', ids }, options);
  const reasons = new Map<string, { row: MemoryRow; reason: string }>();
  for (const row of used) {
    reasons.set(row.id, { row, reason: `used in ${uses.get(row.id)} answers` });
  }
  for (const row of noted) reasons.set(row.id, { row, reason: 'asked to be remembered' });
  for (const row of decided) reasons.set(row.id, { row, reason: 'tagged decision' });
  if (reasons.size === 0) return [];
  const chosen = [...reasons].map(([id, { reason }]) => ({ id, reason }));
  const made = await memory.promote(chosen, { signal });
  return made.map(({ from }) => {
    const { row, reason } = reasons.get(from) ?? {};
    return `${from.slice(0, 12)}: ${reason}: ${shorten(row?.record.text ?? '')}`;
  });
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
