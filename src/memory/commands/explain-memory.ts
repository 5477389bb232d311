import type { FlushableMemory, MemoryFactors, MemoryRow } from '../../contracts/memory.ts';
import type { MemoryExplanation } from '../../contracts/output/parse-memory.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { isKept } from '../layers.ts';

/** The most that a search gives. */
const searched = 32;

/**
 * The source of a row, the rows behind its answer, the runs that used it, and its rank in a search.
 *
 * @param options.query words of a search; absent: no search
 */
export async function explainMemory(
  ports: { memory: FlushableMemory; store: StoreWithJournal; nowMs: number },
  { id, record }: MemoryRow,
  options: { query?: string; signal: AbortSignal },
): Promise<MemoryExplanation> {
  const { weighingOf } = await import('../search/rank-candidates.ts');
  const { memory, store, nowMs } = ports;
  const { query, signal } = options;
  const { layer, kind, tags, source, ts, run, project } = record;
  const recalled = run === undefined ? [] : store.memoryUses.recalledBy(run);
  const ids = recalled.map((row) => row.id);
  const rows = ids.length === 0 ? [] : await memory.list({ ids }, { signal, limit: ids.length });
  const texts = new Map(rows.map((row) => [row.id, row.record.text]));
  const withText = (row: (typeof recalled)[number]) => {
    const text = texts.get(row.id);
    return text === undefined ? row : { ...row, text };
  };
  const questionOf = (of: string): string => store.run(of)?.question ?? '';
  const search =
    query === undefined ? undefined : await rankOf(memory, { id, query, project, signal });
  return {
    id,
    layer,
    kind,
    tags,
    ...(source === undefined ? {} : { source }),
    ts,
    ...weighingOf({ layer, ts, isKept: isKept(record) }, nowMs),
    ...(run === undefined
      ? {}
      : {
          run: {
            id: run,
            question: questionOf(run),
            tools: store.steps(run).map(({ tool }) => tool),
            recalled: recalled.map(withText),
          },
        }),
    usedBy: store.memoryUses
      .runsThatRecalled(id)
      .map((used) => ({ run: used, question: questionOf(used) })),
    ...(search === undefined ? {} : { search }),
  };
}

async function rankOf(
  memory: FlushableMemory,
  asked: { id: string; query: string; project: string; signal: AbortSignal },
): Promise<NonNullable<MemoryExplanation['search']>> {
  const { id, query, project, signal } = asked;
  const hits = await memory.search({ text: query, limit: searched, project }, { signal });
  const at = hits.findIndex((hit) => hit.id === id);
  const found: { score?: number; factors?: MemoryFactors } = hits[at] ?? {};
  const { score, factors } = found;
  return {
    query,
    of: hits.length,
    ...(at < 0 ? {} : { rank: at + 1 }),
    ...(score === undefined ? {} : { score }),
    ...(factors === undefined ? {} : { factors }),
  };
}
