import type { MemoryFilter, MemoryRow, MemoryUpkeep } from '../../contracts/memory.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';

type Ports = { memory: Pick<MemoryUpkeep, 'list'>; store: StoreWithJournal };
type Options = { signal: AbortSignal };

const everyRow = Number.MAX_SAFE_INTEGER;

/**
 * Answers that were made of what came from sources: their run read a file called so, or drew on a
 * row that came from it. Insights that were made of these answers are among them.
 */
export async function answersFrom(
  { memory, store }: Ports,
  { project, sources }: { project: string; sources: readonly string[] },
  { signal }: Options,
): Promise<MemoryRow[]> {
  const names = new Set(sources);
  const rows = await memory.list({ project, sources }, { signal, limit: everyRow });
  const runs = new Set(rows.flatMap(({ id }) => store.memoryUses.runsThatRecalled(id)));
  const answers = await memory.list({ project, kinds: ['answer'] }, { signal, limit: everyRow });
  const readsIt = (run: string): boolean =>
    runs.has(run) ||
    store.hostCalls(run).some(({ target }) => names.has(target.replace(/^[a-z]+:/, '')));
  const known = new Map<string, boolean>();
  return answers.filter(({ record: { run, source } }) => {
    if (run === undefined || source !== undefined) return false;
    const isDerived = known.get(run) ?? readsIt(run);
    known.set(run, isDerived);
    return isDerived;
  });
}

/** A forgotten row also leaves the session in which it was said. */
export async function forgetSaid(
  { memory, store }: Ports,
  filters: readonly MemoryFilter[],
  { signal }: Options,
): Promise<void> {
  for (const filter of filters) {
    if (filter.layer === 'assets') continue;
    const rows = await memory.list(filter, { signal, limit: everyRow });
    store.forgetMessages(
      rows.flatMap(({ record: { run, text, source } }) =>
        run === undefined || source !== undefined ? [] : [{ run, text }],
      ),
    );
  }
}
