import { KernelError } from '../contracts/error.ts';
import {
  type MemoryEmbedder,
  type MemoryHit,
  type MemoryLayer,
  type MemoryQuery,
  memoryLayers,
} from '../contracts/memory.ts';
import type { MemoryJournal } from '../contracts/memory-journal.ts';
import { spaceWords } from './content-words.ts';
import { cosineOf } from './cosine-of.ts';
import { cutText } from './cut-text.ts';
import type { LanceIndex } from './lance-index.ts';
import { mixed } from './lance-index.ts';
import type { FoundRow, LanceTable } from './lance-table.ts';
import { type Candidate, rankHits } from './rank-hits.ts';
import { scorePending } from './score-pending.ts';
import { matchesFilter, whereClause } from './where-clause.ts';

const maxQueryCharacters = 2_000;
/** Of each arm. */
const armRows = 100;
const maxHits = 32;
// reached only when flushing has failed for long; the newest are the ones asked for
const maxPendingSearched = 5_000;

export type SearchPorts = {
  journal: MemoryJournal;
  index: LanceIndex;
  clock: { nowMs(): number };
  embedder(): Promise<MemoryEmbedder | undefined>;
  /** vectors of pending rows, which many searches need again */
  pendingVectors(
    rows: readonly { id: string; record: Candidate['record'] }[],
    embedder: MemoryEmbedder,
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  warn(message: string): void;
};

type Question = { words: string; vector?: Float32Array };

/**
 * Both arms over every layer's table and over the rows that are in none yet; each row that an arm
 * found gets its true score of the other, and all of them are ranked together.
 */
export async function searchMemory(
  ports: SearchPorts,
  query: MemoryQuery,
  options: { signal: AbortSignal; decay?: boolean },
): Promise<MemoryHit[]> {
  const { journal, index } = ports;
  const limit = checkHitLimit(query.limit);
  const words = spaceWords(cutText(query.text, maxQueryCharacters)).toWellFormed();
  if (limit === 0 || words.trim() === '') return [];
  const where = whereClause(query);
  const embedder = await embedderFor(ports, query);
  const [vector] =
    (await embedder?.embed([query.text.slice(0, maxQueryCharacters)], options)) ?? [];
  const question: Question = {
    words,
    // a text that the embedder cannot read has no neighbours
    ...(vector?.some((value) => value !== 0) ? { vector } : {}),
  };
  // The journal first: a row that moves in between is then seen twice and not missed.
  const pending = journal
    .pending({ limit: maxPendingSearched, order: 'newest' })
    .filter((row) => matchesFilter(row, query));
  const layers = memoryLayers.filter((layer) => query.layer === undefined || query.layer === layer);
  const searched = await Promise.all(
    layers.map((layer) => index.read(layer, (table) => searchTable(table, question, where))),
  );
  if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
  const indexed = searched.flatMap((found) => found ?? []);
  const waiting = await scoreWaiting(ports, { question, pending, indexed, embedder }, options);
  return rankHits([...waiting, ...indexed], {
    nowMs: ports.clock.nowMs(),
    limit,
    alpha: embedder?.alpha ?? 0,
    minCosine: embedder?.minCosine ?? Number.POSITIVE_INFINITY,
    ...(options.decay === undefined ? {} : { decay: options.decay }),
  });
}

/** Words alone where the tables were written by another embedder, and said so. */
async function embedderFor(
  ports: SearchPorts,
  query: MemoryQuery,
): Promise<MemoryEmbedder | undefined> {
  const embedder = await ports.embedder();
  if (embedder === undefined) return undefined;
  const other = ports.index
    .tables()
    .filter(({ layer }) => query.layer === undefined || query.layer === layer)
    .find(
      (table) =>
        table.embedder !== '' &&
        (table.embedder !== embedder.name || table.dimensions !== embedder.dimensions),
    );
  if (other === undefined) return embedder;
  const { message, hint } = mixed(other, embedder);
  ports.warn(`memory is searched by words alone: ${message}. ${hint ?? ''}`.trim());
  return undefined;
}

async function searchTable(
  table: LanceTable,
  { words, vector }: Question,
  where: string | undefined,
): Promise<Candidate[]> {
  // Vectors of a table that nobody embedded yet: there are none.
  const asked = table.name.embedder === '' ? undefined : vector;
  const [byWords, near] = await Promise.all([
    table.searchWords(words, where, armRows),
    asked === undefined ? [] : table.searchVector(asked, where, armRows),
  ]);
  const found = new Map<string, FoundRow>(near.map((row) => [row.id, row]));
  for (const row of byWords) {
    const cosine = found.get(row.id)?.cosine ?? cosineOf(asked, row.vector);
    found.set(row.id, { ...row, ...(cosine === undefined ? {} : { cosine }) });
  }
  // With room left the words' arm has all that match: what it has not, has no word.
  const missing =
    byWords.length < armRows ? [] : near.filter(({ id }) => found.get(id)?.bm25 === undefined);
  const scores =
    missing.length === 0
      ? new Map<string, number>()
      : await table.scoreWords(
          words,
          missing.map(({ id }) => id),
        );
  // Rows that the index does not have yet are scored among the chosen ones alone, far too high;
  // none can be better than the last that the arm returned.
  const worst = byWords.at(-1)?.bm25 ?? 0;
  return Array.from(found.values(), ({ id, record, bm25, cosine }) => ({
    id,
    record,
    bm25: bm25 ?? Math.min(worst, scores.get(id) ?? 0),
    ...(cosine === undefined ? {} : { cosine }),
  }));
}

/** Rows that are in no table yet, by a look at each of them. */
async function scoreWaiting(
  ports: SearchPorts,
  found: {
    question: Question;
    pending: readonly { id: string; record: Candidate['record'] }[];
    indexed: readonly Candidate[];
    embedder: MemoryEmbedder | undefined;
  },
  options: { signal: AbortSignal },
): Promise<Candidate[]> {
  const { question, pending, indexed, embedder } = found;
  if (pending.length === 0) return [];
  const known = indexed
    .filter(({ bm25 }) => bm25 > 0)
    .map(({ record, bm25 }) => ({ context: record.context, bm25 }));
  const scores = scorePending(
    question.words,
    pending.map(({ record }) => record.context),
    known,
    await rowsOf(ports.index, new Set(indexed.map(({ record }) => record.layer))),
  );
  const vectors =
    embedder === undefined || question.vector === undefined
      ? []
      : await ports.pendingVectors(pending, embedder, options.signal);
  return pending.map(({ id, record }, at) => {
    const cosine = cosineOf(question.vector, vectors[at]);
    return { id, record, bm25: scores[at] ?? 0, ...(cosine === undefined ? {} : { cosine }) };
  });
}

async function rowsOf(index: LanceIndex, layers: ReadonlySet<MemoryLayer>): Promise<number> {
  let rows = 0;
  for (const layer of layers) {
    rows += (await index.read(layer, (table) => table.countRows())) ?? 0;
  }
  return rows;
}

function checkHitLimit(limit: number): number {
  if (Number.isFinite(limit) && limit >= 0) return Math.min(maxHits, Math.floor(limit));
  throw new KernelError('invalid-argument', `limit is ${limit}, not a number from 0 to ${maxHits}`);
}
