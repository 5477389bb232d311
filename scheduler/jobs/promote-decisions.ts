import type { Kernel, MemoryRow } from '../../src/index.ts';
import { hourMs, type Job, type JobContext, minuteMs } from '../job.ts';

/** What one run promotes at most; the rest follows in the next. */
const maxRows = 1_000;
/** Three answers within some hours, or more over a day: each counts less as it ages. */
const minUseScore = 2.5;
/** A fact that so many answers drew on is one that lasts. */
const minLastingUses = 10;
const keptKinds = ['fact', 'decision', 'preference'];

/** Moves what you told one layer up, and copies turns that answers draw on again and again. */
export const promoteDecisions: Job = {
  name: 'promote_decisions',
  about: 'moves facts up to insights and assets, and copies turns that answers often draw on',
  everyMs: 6 * hourMs,
  deadlineMs: 2 * minuteMs,
  run: async (kernel, context) => {
    const promoted = await promote(kernel, context);
    const summary =
      promoted.length === 0
        ? 'nothing new to promote'
        : `promoted ${promoted.length} ${promoted.length === 1 ? 'row' : 'rows'}`;
    return { summary, details: promoted };
  },
};

/** @returns a line for each row that is new in its layer */
export async function promote(kernel: Kernel, { signal }: JobContext): Promise<string[]> {
  const memory = await kernel.memory();
  const options = { signal, limit: maxRows };
  const decided = await memory.list({ layer: 'interact', tags: ['decision'] }, options);
  const noted = await memory.list({ layer: 'interact', kinds: [...keptKinds] }, options);
  const uses = await kernel.jobs.usedOften(minUseScore);
  const ids = [...uses.keys()].slice(0, maxRows);
  const used = ids.length === 0 ? [] : await memory.list({ layer: 'interact', ids }, options);

  const reasons = new Map<string, { row: MemoryRow; reason: string }>();
  const holds = ({ record }: MemoryRow) =>
    record.replacedBy === undefined && record.endedMs === undefined;
  for (const row of used) {
    reasons.set(row.id, { row, reason: `used in ${uses.get(row.id)} answers` });
  }
  for (const row of noted.filter(holds))
    reasons.set(row.id, { row, reason: `a ${row.record.kind} that you told` });
  for (const row of decided) reasons.set(row.id, { row, reason: 'tagged decision' });
  const lasting = { layer: 'insights' as const, kinds: [...keptKinds] };
  const counts = await kernel.jobs.timesUsed();
  for (const row of (await memory.list(lasting, options)).filter(holds)) {
    const isConfirmed = row.record.tags.includes('confirmed');
    const times = counts.get(row.id) ?? 0;
    if (isConfirmed) reasons.set(row.id, { row, reason: 'said again' });
    else if (times >= minLastingUses)
      reasons.set(row.id, { row, reason: `used in ${times} answers` });
  }
  // only what is the team's leaves this machine without being asked for
  if (kernel.config.memory.shared !== undefined) {
    for (const [id, { row }] of reasons) if (row.record.scope !== 'team') reasons.delete(id);
  }
  if (reasons.size === 0) return [];
  const chosen = [...reasons].map(([id, { reason }]) => ({ id, reason }));
  const made = await memory.promote(chosen, { signal });
  return made.map(({ from }) => {
    // without its words: the log of jobs outlives what is forgotten
    return `${from.slice(0, 12)}: ${reasons.get(from)?.reason}`;
  });
}
