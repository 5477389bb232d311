import type {
  FlushableMemory,
  MemoryFactors,
  MemoryFilter,
  MemoryRow,
} from '../../contracts/memory.ts';
import type { MemoryExplanation } from '../../contracts/output/parse-memory.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { contentWords, isCommonWord } from '../content-words.ts';
import { isKept } from '../layers.ts';
import { withoutNeighbour } from '../texts.ts';

type Ports = {
  memory: Pick<FlushableMemory, 'list' | 'rewrite'>;
  store: StoreWithJournal;
};
type Options = { signal: AbortSignal };

const everyRow = Number.MAX_SAFE_INTEGER;

/**
 * A later answer of the conversation counts as a repetition from so many shared telling words on.
 */
const repeatedWords = 2;

/**
 * Answers that used these sources: their run read a file of that name, or used a row that came from
 * it, or a later answer of the same conversation repeats such an answer. Insights made from these
 * answers are included.
 */
export async function answersFrom(
  { memory, store }: Ports,
  { project, sources }: { project: string; sources: readonly string[] },
  { signal }: Options,
): Promise<MemoryRow[]> {
  const names = new Set(sources);
  const list = (filter: MemoryFilter) =>
    memory.list({ project, ...filter }, { signal, limit: everyRow });
  const answers = (await list({ kinds: ['answer'] })).filter(
    ({ record: { run, source } }) => run !== undefined && source === undefined,
  );
  if (answers.length === 0) return [];
  const rows = await list({ sources });
  const runs = new Set(rows.flatMap(({ id }) => store.memoryUses.runsThatRecalled(id)));
  const known = new Map<string, boolean>();
  const isMadeOfIt = ({ record: { run = '' } }: MemoryRow): boolean => {
    const isIt =
      known.get(run) ??
      (runs.has(run) ||
        store.hostCalls(run).some(({ target }) => names.has(target.replace(/^[a-z]+:/, ''))));
    known.set(run, isIt);
    return isIt;
  };
  const begun = new Map<string, number>();
  for (const turn of [...answers, ...(await list({ kinds: ['question'] }))]) {
    const { session, ts } = turn.record;
    if (session === undefined || !isMadeOfIt(turn)) continue;
    begun.set(session, Math.min(ts, begun.get(session) ?? ts));
  }
  const words = new Set([...rows, ...answers.filter(isMadeOfIt)].flatMap(tellingWords));
  return answers.filter((answer) => {
    if (isMadeOfIt(answer)) return true;
    const { session = '', ts } = answer.record;
    if (ts < (begun.get(session) ?? Number.POSITIVE_INFINITY)) return false;
    return new Set(tellingWords(answer)).intersection(words).size >= repeatedWords;
  });
}

function tellingWords({ record: { text } }: MemoryRow): string[] {
  return contentWords(text).filter((word) => !isCommonWord(word));
}

/**
 * Removes what else holds a forgotten row: its message in the session, the records of its run, its
 * part of the conversations with models, and neighbouring rows whose search text holds its words.
 */
export async function forgetSaid(
  { memory, store }: Ports,
  filters: readonly MemoryFilter[],
  { signal }: Options,
): Promise<void> {
  for (const filter of filters) {
    const rows = await memory.list(filter, { signal, limit: everyRow });
    const said = rows.filter(({ record }) => record.source === undefined);
    store.forgetWords(
      said.flatMap(({ record: { run, kind } }) =>
        run === undefined ? [] : [{ run, role: kind === 'answer' ? 'assistant' : 'user' }],
      ),
      rows.flatMap(({ id, record: { run } }) => [
        ...store.memoryUses.runsThatRecalled(id),
        ...(run === undefined ? [] : [run]),
      ]),
    );
    const beside = await besideOf(said, { memory, store }, { signal });
    if (beside.length > 0) await memory.rewrite(beside, { signal });
  }
}

/** The neighbours of forgotten rows, with search text that no longer holds the forgotten words. */
async function besideOf(
  forgotten: readonly MemoryRow[],
  { memory, store }: Ports,
  { signal }: Options,
): Promise<MemoryRow[]> {
  const gone = new Set(forgotten.map(({ id }) => id));
  const changed = new Map<string, MemoryRow>();
  for (const { id, record } of forgotten) {
    const { run, project, text } = record;
    const turns =
      run === undefined ? [] : await memory.list({ project, run }, { signal, limit: everyRow });
    for (const other of [...turns, ...store.memoryJournal.book.chain(id)]) {
      if (gone.has(other.id)) continue;
      const known = changed.get(other.id) ?? other;
      const context = withoutNeighbour(known.record, text);
      if (context === known.record.context) continue;
      changed.set(other.id, { id: other.id, record: { ...known.record, context } });
    }
  }
  return [...changed.values()];
}

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
