import { KernelError } from '../contracts/error.ts';
import type { MemoryEmbedder, MemoryLayer } from '../contracts/memory.ts';
import { withVectors } from './flush-pending.ts';
import type { LanceIndex } from './tables/lance-index.ts';
import type { LanceTable, WrittenRow } from './tables/lance-table.ts';
import type { TableName } from './tables/table-names.ts';
import { whereClause } from './tables/where-clause.ts';

type ReembedProgress = { layer: MemoryLayer; done: number; of: number };

const batchRows = 500;
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
      for (let at = 0; at < gone.length; at += batchRows) {
        const where = whereClause({ ids: gone.slice(at, at + batchRows) });
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
  for (let at = 0; at < ids.length; at += batchRows) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    const page = ids.slice(at, at + batchRows);
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
