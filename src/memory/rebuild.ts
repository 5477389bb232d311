import { KernelError, reasonOf } from '../contracts/error.ts';
import {
  type MemoryEmbedder,
  type MemoryLayer,
  type MemoryRow,
  memoryLayers,
} from '../contracts/memory.ts';
import type { MemoryRows } from '../contracts/memory-store.ts';
import { type FlushPorts, flushPending, withVectors } from './flush-pending.ts';
import type { LanceIndex } from './tables/lance-index.ts';
import type { LanceTable, TableName, WrittenRow } from './tables/lance-table.ts';
import { whereClause } from './tables/where-clause.ts';
import { vectorText } from './texts.ts';

const pageRows = 500;

export type RebuildOptions = {
  signal: AbortSignal;
  onProgress?: (progress: { done: number; of: number }) => void;
};

/**
 * Makes the tables of this machine anew from the book. Rows that only a table has are first copied
 * to the book, as far as they can be read, unless they were forgotten. Once a table is dropped its
 * rows wait in the journal, so that an interruption loses none and searches find them. Only the
 * holder of the write lock may.
 *
 * @returns rows that were written, and layers whose tables could not be read
 */
export async function rebuildTables(
  ports: FlushPorts,
  options: RebuildOptions,
): Promise<{ rows: number; unread: string[] }> {
  const { index, journal } = ports;
  const { signal, onProgress } = options;
  const own = memoryLayers.filter((layer) => !index.isShared(layer));
  const unread: string[] = [];
  for (const layer of own) {
    try {
      await adoptRows(ports, layer, signal);
    } catch (thrown) {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      unread.push(`${layer}: ${reasonOf(thrown)}`);
    }
  }
  for (const layer of own) {
    // Before the table goes, so that searches find the rows at every moment.
    journal.book.requeue(layer);
    await index.drop(layer);
  }
  const of = journal.count();
  const rows = await flushPending(ports, {
    signal,
    onBatch: (done) => onProgress?.({ done, of }),
  });
  return { rows, unread };
}

/**
 * Copies rows that only the table has into the book. Pieces of files are left out: files are read
 * again.
 *
 * @returns how many
 */
export async function adoptRows(
  { index, journal }: Pick<FlushPorts, 'index' | 'journal'>,
  layer: MemoryLayer,
  signal: AbortSignal,
): Promise<number> {
  if (layer === 'assets' || index.isShared(layer)) return 0;
  const adopted = await index.read([layer], async ([table]) => {
    if (table === undefined) return 0;
    const ids = (await table.times(undefined)).map(({ id }) => id);
    const known = journal.book.has(ids);
    const missing = ids.filter((id) => !known.has(id));
    let taken = 0;
    for (let at = 0; at < missing.length; at += pageRows) {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      const page = missing.slice(at, at + pageRows);
      const where = whereClause({ ids: page });
      taken += journal.book.adopt(await table.rows(where, { limit: page.length, offset: 0 }));
    }
    return taken;
  });
  return adopted;
}

/** Finds faults of this machine's tables: it reads all that a search would read. */
export async function checkTables(
  index: LanceIndex,
  layers: readonly MemoryLayer[],
  isLost: (layer: MemoryLayer) => boolean,
): Promise<{ layer: MemoryLayer; problem: string }[]> {
  const found: { layer: MemoryLayer; problem: string }[] = [];
  for (const layer of layers) {
    try {
      const isThere = await index.read([layer], async ([table]) => {
        if (table === undefined) return false;
        const ids = await table.times(undefined);
        await table.rows(undefined, { limit: Math.max(1, ids.length), offset: 0 });
        await table.searchWords('cuervo', undefined, 1);
        if (table.name.embedder !== '') {
          await table.searchVector(new Float32Array(table.name.dimensions).fill(0.1), undefined, 1);
        }
        return true;
      });
      if (!isThere && isLost(layer)) found.push({ layer, problem: 'its table is gone' });
    } catch (thrown) {
      found.push({ layer, problem: reasonOf(thrown) });
    }
  }
  return found;
}

type ReembedProgress = { layer: MemoryLayer; done: number; of: number };

/** Progress is reported after so many. */
const shownRows = 50;

/**
 * Gives every row a vector of this embedder. A table of another embedder is copied to a new table,
 * which takes its place when it is complete; until then searches use the old one. An interrupted
 * run goes on. Only the holder of the write lock may.
 *
 * @returns rows that got a vector
 */
export async function reembed(
  index: LanceIndex,
  embedder: MemoryEmbedder,
  options: { signal: AbortSignal; onProgress?: (progress: ReembedProgress) => void },
): Promise<number> {
  let made = 0;
  for (const name of await index.tables()) {
    const isOwn = name.embedder === embedder.name && name.dimensions === embedder.dimensions;
    made += isOwn
      ? await fillTable(index, name, embedder, options)
      : await moveTable(index, name, embedder, options);
  }
  return made;
}

type Options = Parameters<typeof reembed>[2];

/** Rows that were written without an embedder. */
async function fillTable(
  index: LanceIndex,
  name: TableName,
  embedder: MemoryEmbedder,
  options: Options,
): Promise<number> {
  return await index.use(name, { make: false }, async (table) => {
    const ids = (await table.times("embedder = ''")).map(({ id }) => id);
    await copy(table, table, ids, embedder, options, { layer: name.layer, of: ids.length });
    return ids.length;
  });
}

async function moveTable(
  index: LanceIndex,
  from: TableName,
  embedder: MemoryEmbedder,
  options: Options,
): Promise<number> {
  const { layer } = from;
  const to: TableName = {
    layer,
    table: `${layer}-${embedder.name.replace(/[^\w-]/g, '_')}-${embedder.dimensions}`,
    embedder: embedder.name,
    dimensions: embedder.dimensions,
  };
  // The source table may have this name already, as after a change of a vector's text.
  if (to.table === from.table) to.table += '-2';
  const copied = await index.use(from, { make: false }, (source) =>
    index.use(to, { make: true }, async (target) => {
      const wanted = new Set((await source.times(undefined)).map(({ id }) => id));
      const there = new Set((await target.times(undefined)).map(({ id }) => id));
      const missing = [...wanted].filter((id) => !there.has(id));
      await copy(source, target, missing, embedder, options, { layer, of: wanted.size });
      // Rows that were removed from the source after the copy began.
      const gone = [...there].filter((id) => !wanted.has(id));
      for (let at = 0; at < gone.length; at += pageRows) {
        const where = whereClause({ ids: gone.slice(at, at + pageRows) });
        if (where !== undefined) await target.remove(where);
      }
      await target.optimize(Date.now(), true);
      return missing.length;
    }),
  );
  await index.replace(from, to);
  return copied;
}

async function copy(
  source: LanceTable,
  target: LanceTable,
  ids: readonly string[],
  embedder: MemoryEmbedder,
  { signal, onProgress }: Options,
  { layer, of }: { layer: MemoryLayer; of: number },
): Promise<void> {
  for (let at = 0; at < ids.length; at += pageRows) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    const page = ids.slice(at, at + pageRows);
    const rows = await source.rows(whereClause({ ids: page }), { limit: page.length, offset: 0 });
    const made: WrittenRow[] = [];
    // Report progress within a batch: a sentence model needs a minute for one.
    for (let from = 0; from < rows.length; from += shownRows) {
      made.push(...(await withVectors(rows.slice(from, from + shownRows), embedder, signal)));
      const done = of - ids.length + at + Math.min(page.length, from + shownRows);
      onProgress?.({ layer, done, of });
    }
    await target.write(made);
  }
}

const meaningsAtOnce = 32;
/** How many of the newest and oldest rows are checked for missing vectors. */
const sampleRows = 200;

type Ports = {
  book: Pick<MemoryRows, 'said'>;
  meaning(): Promise<MemoryEmbedder | undefined>;
};

/**
 * Makes the vectors of a sentence model for what was said, the newest first, so that searches find
 * them made. An interruption keeps what there is.
 *
 * @param options.limit the most vectors that are made
 * @returns how many were made, and by which model; undefined where there is no such model
 */
export async function makeMeanings(
  { book, meaning }: Ports,
  { signal, limit = Number.POSITIVE_INFINITY }: { signal: AbortSignal; limit?: number },
): Promise<{ made: number; model: string } | undefined> {
  const use = await meaning();
  if (use?.kept === undefined) return undefined;
  let made = 0;
  for (let offset = 0; ; offset += pageRows) {
    const page = book.said({ order: 'newest', offset, limit: pageRows });
    const missing = textsWithout(use, page);
    for (let at = 0; at < missing.length && made < limit; at += meaningsAtOnce) {
      signal.throwIfAborted();
      const batch = missing.slice(at, at + Math.min(meaningsAtOnce, limit - made));
      await use.embed(batch, { signal });
      made += batch.length;
    }
    if (page.length < pageRows || made >= limit) return { made, model: use.name };
  }
}

/**
 * How many rows lack a vector, among the newest ones and else among the oldest; looking at all rows
 * would cost too much.
 */
export async function missingMeanings({ book, meaning }: Ports): Promise<number> {
  // No error here where the model cannot be opened: searches report that.
  const use = await meaning().catch(() => undefined);
  if (use?.kept === undefined) return 0;
  const newest = book.said({ order: 'newest', offset: 0, limit: sampleRows });
  const missing = textsWithout(use, newest).length;
  if (missing > 0 || newest.length < sampleRows) return missing;
  return textsWithout(use, book.said({ order: 'oldest', offset: 0, limit: sampleRows })).length;
}

function textsWithout(use: MemoryEmbedder, rows: readonly MemoryRow[]): string[] {
  const texts = [...new Set(rows.map(({ record }) => vectorText(record)))];
  const kept = use.kept?.(texts) ?? [];
  return texts.filter((_, at) => kept[at] === undefined);
}
