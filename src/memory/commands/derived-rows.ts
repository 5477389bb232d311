import type { FlushableMemory, MemoryFilter, MemoryRow } from '../../contracts/memory.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { contentWords } from '../content-words.ts';
import { isCommonWord } from '../search/common-words.ts';
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
