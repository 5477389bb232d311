import { KernelError } from '../../contracts/error.ts';
import {
  type MemoryEmbedder,
  type MemoryHit,
  type MemoryLayer,
  type MemoryQuery,
  type MemoryRecord,
  type MemoryReranker,
  type MemoryRow,
  memoryLayers,
} from '../../contracts/memory.ts';
import type { MemoryJournal } from '../../contracts/memory-store.ts';
import { contentWords, spaceWords } from '../content-words.ts';
import { isKept } from '../layers.ts';
import { rerankHits, untilDeadline } from '../rerank/rerank-hits.ts';
import { type LanceIndex, mixed } from '../tables/lance-index.ts';
import type { FoundRow, LanceTable, TableName } from '../tables/lance-table.ts';
import { matchesFilter, whereClause } from '../tables/where-clause.ts';
import { cutText, vectorText } from '../texts.ts';
import { type FactPorts, type NearFacts, nearFacts, turnMeanings } from './near-facts.ts';
import { askedFor, type DistinctHit, distinctHits, factsFirst, fitFacts } from './order-hits.ts';
import { type Candidate, cosineOf, rankCandidates } from './rank-candidates.ts';
import { scorePending, sharesWord } from './score-pending.ts';

/** Characters of a question that are used. */
export const maxQueryCharacters = 2_000;
export const armRows = 100;
/** The most rows found by words where a plugin's own rows are ranked: as many as it may keep. */
const aloneRows = 10_000;
export const maxHits = 32;
/** Time for vectors of waiting rows. */
const pendingTimeoutMs = 2_000;
/** The reranker's share where only words made the order; the same as with the weakest vectors. */
const wordsShare = 0.45;
/** How many rows found by words set the scale for waiting rows; few, since reading them is slow. */
const measureRows = 5;
// reached only when flushing has failed for long, and while all tables are made anew
const maxPendingSearched = 5_000;

export type SearchPorts = FactPorts & {
  /** whether this layer, or any layer, holds a fact that a person told; absent: false */
  hasFacts?: (layer?: MemoryLayer) => boolean;
  journal: Pick<MemoryJournal, 'pending'>;
  index: LanceIndex;
  clock: { nowMs(): number };
  embedder(): Promise<MemoryEmbedder | undefined>;
  /** absent: no second order */
  reranker?: () => Promise<MemoryReranker | undefined>;
  warn(message: string): void;
};

type Question = { words: string; vector?: Float32Array };

type SearchOptions = { signal: AbortSignal };

/**
 * Both arms over every layer's table and over the rows that are in none yet; each row that an arm
 * found gets its true score of the other, and all of them are ranked together. Earlier questions
 * are left out: they tell nothing, and resemble a new question more than the answer to both does.
 * If shared layers cannot be reached, the others are searched and a warning says so.
 */
export async function searchMemory(
  ports: SearchPorts,
  narrowed: MemoryQuery,
  options: SearchOptions,
): Promise<MemoryHit[]> {
  const { kinds, notKinds = [], questions } = narrowed;
  const isTold = kinds === undefined && questions === undefined;
  const query = isTold ? { ...narrowed, notKinds: ['question', ...notKinds] } : narrowed;
  const layers = memoryLayers.filter((layer) => query.layer === undefined || query.layer === layer);
  const own = layers.filter((layer) => !ports.index.isShared(layer));
  try {
    return await searchLayers(ports, layers, query, options);
  } catch (thrown) {
    const isReachable = !(thrown instanceof KernelError && thrown.code === 'unavailable');
    if (isReachable || own.length === 0 || own.length === layers.length) throw thrown;
    ports.warn(`only the memory of this machine is searched: ${reasonOf(thrown)}`);
    return await searchLayers(ports, own, query, options);
  }
}

async function searchLayers(
  ports: SearchPorts,
  layers: readonly MemoryLayer[],
  query: MemoryQuery,
  options: SearchOptions,
): Promise<MemoryHit[]> {
  const { journal, index } = ports;
  const limit = checkHitLimit(query.limit);
  const words = spaceWords(cutText(query.text, maxQueryCharacters)).toWellFormed();
  if (limit === 0 || words.trim() === '') return [];
  const where = whereClause(query);
  const asked = query.text.slice(0, maxQueryCharacters).toWellFormed();
  const tables = await index.tables(layers);
  const { embedder, vector } = await vectorOf(ports, tables, asked, options.signal);
  const question: Question = {
    words,
    // a text that the embedder cannot read has no neighbours
    ...(vector?.some((value) => value !== 0) ? { vector } : {}),
  };
  // Read the journal before the tables: a row that moves in between is then seen twice, not missed.
  const pending = journal
    .pending({ limit: maxPendingSearched, order: 'newest', words: contentWords(words) })
    .filter((row) => matchesFilter(row, query));
  const waits = new Set(pending.map(({ record }) => record.layer));
  // Waiting rows seldom hold a word of the question; then there is nothing to compare.
  const contexts = pending.map(({ record }) => record.context);
  const isMeasured = pending.length > 0 && sharesWord(words, contexts);
  const [reranker, facts] = await Promise.all([
    rerankerOf(ports),
    factsOf(ports, query, asked, options.signal),
  ]);
  const hasFacts = ports.hasFacts?.() ?? false;
  // More candidates than asked for: the reranker needs them, and a better fitting fact may rise.
  const isFitted = hasFacts && askedFor(asked) !== undefined;
  const wanted = reranker === undefined && !isFitted ? limit : maxHits;
  const best = await index.read(layers, async (tables) => {
    const searched = tables.map((table) => {
      const { layer } = table.name;
      // Marks cost a look at each found row, and layers without facts need none.
      const mayHold = hasFacts && (index.isShared(layer) || ports.hasFacts?.(layer) === true);
      const isMarked = mayHold || waits.has(layer);
      const isOwn = query.isAlone === true && layer !== 'assets';
      const mostByWords = isOwn ? aloneRows : armRows;
      return searchTable(table, question, where, { isMarked, isMeasured, mostByWords });
    });
    // Weights of words are computed for facts and waiting rows only.
    const counted = hasFacts || pending.length > 0 ? rowsOf(tables) : 0;
    const [rows, ...arms] = await Promise.all([counted, ...searched]);
    const indexed = arms.flat();
    if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
    const measure = isMeasured ? { known: bestContexts(indexed), rows } : undefined;
    const waiting = await scoreWaiting(ports, { question, pending, measure, embedder }, options);
    const found = [...waiting, ...indexed];
    const all = withFacts(query.isAlone ? await scoredAlone(found, words) : found, facts);
    const { found: told, use: meaningUse } = await withMeanings(ports, all, asked, options.signal);
    const ranked = rankCandidates(told, {
      nowMs: ports.clock.nowMs(),
      alpha: embedder?.alpha ?? 0,
      ...(embedder === undefined ? {} : { use: embedder }),
      ...(meaningUse === undefined ? {} : { meaningUse }),
      askedWords: new Set(contentWords(words)).size,
      rows: rows + pending.length,
    });
    return await distinctHits(ranked, wanted, (rows) => rowsOfCandidates(rows));
  });
  const hits =
    reranker === undefined
      ? best.map(({ hit }) => hit)
      : await rerankBest(ports, reranker, {
          question: asked,
          best,
          share: embedder?.rerankShare ?? wordsShare,
          signal: options.signal,
        });
  return factsFirst(hasFacts ? fitFacts(hits, asked) : hits).slice(0, limit);
}

/** The nearest facts; undefined with a warning where the sentence model fails. */
async function factsOf(
  ports: SearchPorts,
  query: MemoryQuery,
  asked: string,
  signal: AbortSignal,
): Promise<NearFacts | undefined> {
  try {
    return await nearFacts(ports, query, { asked, signal });
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    ports.warn(`facts are searched without the sentence model: ${reasonOf(thrown)}`);
    return undefined;
  }
}

/**
 * The sentence model's cosines of turns among the candidates. Their rows are read for it, and kept
 * for those that are shown.
 */
async function withMeanings(
  ports: SearchPorts,
  found: Located[],
  asked: string,
  signal: AbortSignal,
): Promise<{ found: Located[]; use?: MemoryEmbedder }> {
  // where it cannot be opened, the arm of facts and the reranker say so
  const use = found.length === 0 ? undefined : await ports.meaning?.().catch(() => undefined);
  if (use?.kept === undefined) return { found };
  try {
    const rows = await rowsOfCandidates(found.filter(({ layer }) => layer !== 'assets'));
    const read = found.flatMap(({ id, layer }) => {
      const record = rows.get(id)?.record;
      return record === undefined ? [] : [{ id, layer, record }];
    });
    const cosines = await turnMeanings(use, read, { asked, signal });
    const told = found.map((one): Located => {
      const meaning = cosines.get(one.id);
      const record = rows.get(one.id);
      const known = record === undefined || 'record' in one ? one : { ...one, known: record };
      return meaning === undefined ? known : { ...known, meaning };
    });
    return { found: told, use };
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    ports.warn(`turns are searched without the sentence model: ${reasonOf(thrown)}`);
    return { found };
  }
}

/**
 * Scores by words that count rarity among the found rows alone: a count over all rows would tell a
 * plugin what the others hold.
 */
async function scoredAlone(found: readonly Located[], words: string): Promise<Located[]> {
  const rows = await rowsOfCandidates(found);
  const contexts = found.map(({ id }) => rows.get(id)?.record.context ?? '');
  const scores = scorePending(words, contexts, [], found.length);
  // Equal scores are ordered by the record's id, since its place in the table tells of other rows.
  const recordOf = ({ id }: Located): string => rows.get(id)?.id ?? id;
  return found
    .map((one, at) => ({ ...one, bm25: scores[at] ?? 0 }))
    .sort((one, other) => (recordOf(one) < recordOf(other) ? -1 : 1));
}

/** Adds the sentence model's cosines to the candidates, and the facts that no other arm found. */
function withFacts(found: readonly Located[], facts: NearFacts | undefined): Located[] {
  if (facts === undefined) return [...found];
  const known = new Set(found.map(({ id }) => id));
  const told = found.map((one) => {
    const meaning = facts.cosines.get(one.id);
    return meaning === undefined ? one : { ...one, meaning };
  });
  const others = facts.nearest.filter(({ id }) => !known.has(id));
  return [
    ...told,
    ...others.map(({ id, record }) => ({
      id,
      layer: record.layer,
      ts: record.ts,
      bm25: 0,
      meaning: facts.cosines.get(id) ?? 0,
      isKept: true,
      record,
    })),
  ];
}

/** The question's vector; undefined with a warning where the embedder fails. */
async function vectorOf(
  ports: SearchPorts,
  tables: readonly TableName[],
  text: string,
  signal: AbortSignal,
): Promise<{ embedder: MemoryEmbedder | undefined; vector?: Float32Array }> {
  try {
    const embedder = await embedderFor(ports, tables);
    const [vector] = (await embedder?.embed([text], { signal, isQuery: true })) ?? [];
    if (vector?.length !== embedder?.dimensions) {
      throw new KernelError(
        'tool-failed',
        `the embedder ${embedder?.name} returned ${vector?.length ?? 'no'} dimensions for a question, not ${embedder?.dimensions}`,
      );
    }
    return { embedder, ...(vector === undefined ? {} : { vector }) };
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    ports.warn(`memory is searched by words alone: ${reasonOf(thrown)}`);
    return { embedder: undefined };
  }
}

export async function rerankerOf(
  ports: Pick<SearchPorts, 'reranker' | 'warn'>,
): Promise<MemoryReranker | undefined> {
  try {
    return await ports.reranker?.();
  } catch (thrown) {
    ports.warn(`memory is not reranked: ${reasonOf(thrown)}`);
    return undefined;
  }
}

/** A reranker reads the texts of vectors; code gains nothing and keeps its place. */
async function rerankBest(
  ports: SearchPorts,
  reranker: MemoryReranker,
  found: {
    question: string;
    best: readonly DistinctHit[];
    share: number;
    signal: AbortSignal;
  },
): Promise<MemoryHit[]> {
  const { question, best, share, signal } = found;
  const pool = best.map(({ record }) => record.context);
  const ranked = best.map(({ hit, record }) => ({
    hit,
    // A fact with a sentence model's cosine is left out: the reranker uses the same model.
    text:
      record.kind === 'code' || (isKept(record) && hit.factors.meaning !== undefined)
        ? undefined
        : vectorText(record),
  }));
  try {
    return await rerankHits(ranked, reranker, { question, pool, share, signal });
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    ports.warn(`memory is not reranked: ${reasonOf(thrown)}`);
    return best.map(({ hit }) => hit);
  }
}

function reasonOf(thrown: unknown): string {
  const { message, hint } = KernelError.from(thrown, 'internal');
  return hint === undefined ? message : `${message}. ${hint}`;
}

/** The embedder for these tables; undefined with a warning where another one wrote them. */
export async function embedderFor(
  ports: Pick<SearchPorts, 'embedder' | 'warn'>,
  tables: readonly TableName[],
): Promise<MemoryEmbedder | undefined> {
  const embedder = await ports.embedder();
  if (embedder === undefined) return undefined;
  const other = tables.find(
    (table) =>
      table.embedder !== '' &&
      (table.embedder !== embedder.name || table.dimensions !== embedder.dimensions),
  );
  if (other === undefined) return embedder;
  const { message, hint } = mixed(other, embedder);
  ports.warn(`memory is searched by words alone: ${message}. ${hint ?? ''}`.trim());
  return undefined;
}

/** A candidate, and where its record is. */
type Located = Candidate &
  ({ record: MemoryRecord } | { row: FoundRow; table: LanceTable; known?: MemoryRow });

/**
 * @param waiting.isMarked read ids, because the layer has waiting rows or facts
 * @param waiting.isMeasured read the best rows by words, to set the scale for waiting rows
 */
async function searchTable(
  table: LanceTable,
  { words, vector }: Question,
  where: string | undefined,
  options: { isMarked: boolean; isMeasured: boolean; mostByWords: number },
): Promise<Located[]> {
  const { isMarked, isMeasured, mostByWords } = options;
  // A table that nobody embedded yet has no vectors.
  const asked = table.name.embedder === '' ? undefined : vector;
  const { layer } = table.name;
  const [byWords, near] = await Promise.all([
    table.searchWords(words, where, mostByWords),
    asked === undefined ? [] : table.searchVector(asked, where, armRows),
  ]);
  const found = new Map<bigint, FoundRow>(near.map((row) => [row.rowId, row]));
  for (const { vector: own, ...row } of byWords) {
    const cosine = found.get(row.rowId)?.cosine ?? cosineOf(asked, own);
    found.set(row.rowId, { ...row, ...(cosine === undefined ? {} : { cosine }) });
  }
  // If the arm of words was not full, it has all matches: other rows share no word.
  const missing =
    byWords.length < mostByWords
      ? []
      : near.filter(({ rowId }) => found.get(rowId)?.bm25 === undefined);
  const [scores, marks, measures] = await Promise.all([
    missing.length === 0 ? new Map<bigint, number>() : table.scoreWords(words, missing),
    isMarked && found.size > 0 ? table.marks([...found.values()]) : undefined,
    isMeasured && byWords.length > 0 ? table.records(byWords.slice(0, measureRows)) : undefined,
  ]);
  // Rows that are not indexed yet are scored among few rows, and far too high. None can be better
  // than the arm's last row, so that score is their limit.
  const worst = byWords.at(-1)?.bm25 ?? 0;
  return Array.from(found.values(), (row) => {
    const known = measures?.get(row.rowId);
    return {
      ...(marks?.get(row.rowId) ?? { id: `${layer} ${row.rowId}`, ts: row.ts ?? 0 }),
      layer,
      bm25: row.bm25 ?? Math.min(worst, scores.get(row.rowId) ?? 0),
      ...(row.cosine === undefined ? {} : { cosine: row.cosine }),
      ...(known === undefined ? {} : { known }),
      row,
      table,
    };
  });
}

/** By the ids of the candidates. Each table is asked once. */
async function rowsOfCandidates(candidates: readonly Located[]): Promise<Map<string, MemoryRow>> {
  const rows = new Map<string, MemoryRow>();
  const wanted = new Map<LanceTable, { id: string; row: FoundRow }[]>();
  for (const candidate of candidates) {
    const { id } = candidate;
    if ('record' in candidate) rows.set(id, { id, record: candidate.record });
    else if (candidate.known !== undefined) rows.set(id, candidate.known);
    else wanted.set(candidate.table, [...(wanted.get(candidate.table) ?? []), candidate]);
  }
  const reads = [...wanted].map(async ([table, located]) => {
    const found = await table.records(located.map(({ row }) => row));
    for (const { id, row } of located) {
      const read = found.get(row.rowId);
      if (read !== undefined) rows.set(id, read);
    }
  });
  await Promise.all(reads);
  return rows;
}

/** Rows that are in no table yet, by a look at each of them. */
async function scoreWaiting(
  ports: SearchPorts,
  found: {
    question: Question;
    pending: readonly MemoryRow[];
    /** the scale for words; undefined when no waiting row has a word of the question */
    measure: { known: readonly { context: string; bm25: number }[]; rows: number } | undefined;
    embedder: MemoryEmbedder | undefined;
  },
  options: { signal: AbortSignal },
): Promise<Located[]> {
  const { question, pending, measure, embedder } = found;
  if (pending.length === 0) return [];
  const wantsVectors = embedder !== undefined && question.vector !== undefined;
  const vectors = wantsVectors ? await vectorsOf(ports, pending, embedder, options.signal) : [];
  const contexts = pending.map(({ record }) => record.context);
  const scores =
    measure === undefined
      ? []
      : scorePending(question.words, contexts, measure.known, measure.rows);
  return pending.map(({ id, record }, at) => {
    const cosine = cosineOf(question.vector, vectors[at]);
    return {
      id,
      layer: record.layer,
      ts: record.ts,
      isKept: isKept(record),
      bm25: scores[at] ?? 0,
      ...(cosine === undefined ? {} : { cosine }),
      record,
    };
  });
}

/** Vectors of waiting rows; without them words alone search these rows, and that is reported. */
async function vectorsOf(
  ports: SearchPorts,
  pending: readonly MemoryRow[],
  embedder: MemoryEmbedder,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  try {
    const deadline = untilDeadline(pendingTimeoutMs);
    const vectors = await deadline(
      embedder.embed(
        pending.map(({ record }) => vectorText(record)),
        { signal },
      ),
    );
    if (vectors !== undefined) return vectors;
    const detail = `their vectors were not computed within ${pendingTimeoutMs / 1_000} s`;
    ports.warn(`${pending.length} waiting rows are searched by words alone: ${detail}`);
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    ports.warn(`waiting rows are searched by words alone: ${reasonOf(thrown)}`);
  }
  return [];
}

/** The best rows by words with their scores: the scale for rows that are in no index. */
function bestContexts(indexed: readonly Located[]): { context: string; bm25: number }[] {
  return indexed
    .flatMap((one) => {
      const context = 'known' in one ? one.known?.record.context : undefined;
      return context === undefined || one.bm25 <= 0 ? [] : [{ context, bm25: one.bm25 }];
    })
    .sort((one, other) => other.bm25 - one.bm25);
}

async function rowsOf(tables: readonly LanceTable[]): Promise<number> {
  const counts = await Promise.all(tables.map((table) => table.countRows()));
  return counts.reduce((sum, count) => sum + count, 0);
}

function checkHitLimit(limit: number): number {
  if (Number.isFinite(limit) && limit >= 0) return Math.min(maxHits, Math.floor(limit));
  throw new KernelError('invalid-argument', `limit is ${limit}, not a number from 0 to ${maxHits}`);
}
