import type { Index, Index as LanceIndex, Table } from '@lancedb/lancedb';
import type { MemoryLayer } from '../../contracts/memory.ts';
import type { LanceTable, TableName } from './lance-table.ts';
import { whereClause } from './where-clause.ts';

// rows outside the index are searched too, only slower, so this is about size and speed alone
const maxUnindexedRows = 512;
const maxUnindexedShare = 0.1;
const maxFragments = 16;
/**
 * An index of words with so many rows is rebuilt in 0.1 s; merging it would cost 2 MB of memory.
 */
const maxRemadeRows = 5_000;
// long enough for any search that has an old version open
const keepVersionsMs = 10 * 60_000;
/** The clean-up also takes versions made meanwhile, even by a clock that is an hour ahead. */
const aheadMs = 60 * 60_000;
/** Another process may have built an index meanwhile. */
const indexAgeMs = 30_000;

/** The indices of a table, and the work that keeps it small. */
export type LanceIndices = Pick<LanceTable, 'settle' | 'optimize' | 'wipe'> & {
  indexWords(replace: boolean): Promise<void>;
  /** the kind of the vector index, as of a moment ago; undefined when there is none */
  vectorIndex(): Promise<string | undefined>;
};

export function createLanceIndices(
  table: Table,
  { layer, dimensions }: TableName,
  Index: typeof LanceIndex,
): LanceIndices {
  const vectorIndex = rememberFor(indexAgeMs, () => vectorIndexOf(table));
  const indexWords = async (replace: boolean): Promise<void> => {
    const config = Index.fts({ stem: true, removeStopWords: true, withPosition: false });
    await table.createIndex('context', { config, replace });
  };
  /** Whether the index of words lacks too many rows, and whether making it anew costs less than merging. */
  const wordsIndex = async (): Promise<{ isDue: boolean; isRemade: boolean }> => {
    const stats = await table.indexStats('context_idx');
    const rows = await table.countRows();
    const unindexedRows = stats?.numUnindexedRows ?? maxUnindexedRows;
    // The limit also grows with the table, since each rebuild reads all of it.
    const isLarge = unindexedRows >= Math.max(maxUnindexedRows, maxUnindexedShare * rows);
    // LanceDB 0.31 finds no row of a table whose index was made while it had none.
    const isDue = isLarge || (rows > 0 && (stats?.numIndexedRows ?? 0) === 0);
    // If most rows are new, rebuilding takes half the time and half the memory of merging.
    return { isDue, isRemade: unindexedRows > rows / 2 || rows <= maxRemadeRows };
  };
  /** Merges fragments and indices, and removes versions that are no longer read. */
  const merge = (nowMs: number) =>
    table.optimize({ cleanupOlderThan: new Date(nowMs - keepVersionsMs) });
  const buildVectorIndex = async (): Promise<void> => {
    const vectors = await table.countRows('vector IS NOT NULL');
    const present = (await table.listIndices()).map(({ indexType }) => indexType);
    for (const { column, type, config } of planIndices(layer, vectors, dimensions)(Index)) {
      if (!present.includes(type)) await table.createIndex(column, { config, replace: true });
    }
    vectorIndex.forget();
  };
  return {
    indexWords,
    vectorIndex: vectorIndex.get,
    settle: async (nowMs) => {
      const { isDue, isRemade } = await wordsIndex();
      if (!isDue) return;
      await (isRemade ? indexWords(true) : merge(nowMs));
      await buildVectorIndex();
    },
    optimize: async (nowMs, force) => {
      const { fragmentStats } = await table.stats();
      const { isDue, isRemade } = await wordsIndex();
      if (!isDue && !force && fragmentStats.numFragments < maxFragments) return false;
      // fragments wait for the next time then: merged at once they would be read twice
      await (isDue && isRemade && !force ? indexWords(true) : merge(nowMs));
      await buildVectorIndex();
      return true;
    },
    wipe: async ({ isAlone }) => {
      const [first]: { id: string }[] = await table.query().select(['id']).limit(1).toArray();
      if (first !== undefined) {
        // A fragment that lacks few rows is left as it is, unless it has a neighbour to merge with.
        const where = whereClause({ ids: [first.id] });
        await table.update({
          valuesSql: { kind: 'kind' },
          ...(where === undefined ? {} : { where }),
        });
      }
      const cleanupOlderThan = new Date(Date.now() + aheadMs);
      await table.optimize({ cleanupOlderThan });
      // merging keeps words that no row has any more
      await indexWords(true);
      await buildVectorIndex();
      await table.optimize({ cleanupOlderThan, deleteUnverified: isAlone });
    },
  };
}

async function vectorIndexOf(table: Table): Promise<string | undefined> {
  const indices = await table.listIndices();
  return indices.find(({ columns: [column] }) => column === 'vector')?.indexType;
}

function rememberFor<T>(ageMs: number, read: () => Promise<T>) {
  let kept: { value: Promise<T>; untilMs: number } | undefined;
  return {
    get: (): Promise<T> => {
      if (kept === undefined || performance.now() > kept.untilMs) {
        kept = { value: read(), untilMs: performance.now() + ageMs };
      }
      return kept.value;
    },
    forget: () => {
      kept = undefined;
    },
  };
}

/** With fewer rows a look at every vector takes a few milliseconds and misses nothing. */
const minIndexedRows = 10_000;
/** Bits of a kept number; one bit finds too little, eight double the reading for no gain. */
const bitsOfDimension = 4;
/** The rounding of vectors takes whole bytes. */
const dimensionsAtOnce = 8;

/** The index of rounded vectors, as `indexType` names it. */
export const roundedIndex = 'IvfRq';
/**
 * How a rounded index is asked. So many lists are all that 800,000 rows have, and found 99.6 of
 * 100 of the ten nearest among a million (122 lists 95.6); each wanted row is looked at whole.
 */
export const roundedSearch = { probes: 200, refineFactor: 1 } as const;

type Wanted = { column: string; type: string; config: Index };

/**
 * The indices that a table of this size is searched with, beside the one for words: nothing for a
 * small one and for `interact`, which is kept small; rounded vectors in lists above 10,000 rows.
 */
export function planIndices(
  layer: MemoryLayer,
  vectors: number,
  dimensions: number,
): (make: typeof Index) => Wanted[] {
  return (make) => {
    if (layer === 'interact' || vectors < minIndexedRows) return [];
    const ids = { column: 'id', type: 'BTree', config: make.btree() };
    const vector =
      dimensions % dimensionsAtOnce === 0
        ? {
            type: roundedIndex,
            config: make.ivfRq({ distanceType: 'cosine', numBits: bitsOfDimension }),
          }
        : { type: 'IvfFlat', config: make.ivfFlat({ distanceType: 'cosine' }) };
    return [ids, { column: 'vector', ...vector }];
  };
}
