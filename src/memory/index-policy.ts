import type { Index } from '@lancedb/lancedb';
import type { MemoryLayer } from '../contracts/memory.ts';

/** Below this a look at every vector takes a few milliseconds and misses nothing. */
const minIndexedRows = 10_000;
/** From here on whole vectors in the index take too long to read. */
const minRoundedRows = 200_000;
/** Found beside each other: rounding in parts of eight lost least. */
const roundedDimensions = 8;

type Wanted = { column: string; type: string; config: Index };

/**
 * The indices that a table of this size is searched with, beside the one for words: nothing for a
 * small one and for `interact`, which is kept small; whole vectors in lists above 10,000 rows;
 * rounded ones above 200,000 rows.
 */
export function planIndices(
  layer: MemoryLayer,
  vectors: number,
  dimensions: number,
): (make: typeof Index) => Wanted[] {
  return (make) => {
    if (layer === 'interact' || vectors < minIndexedRows) return [];
    const ids = { column: 'id', type: 'BTree', config: make.btree() };
    const rounded = layer === 'assets' && vectors >= minRoundedRows;
    const config = rounded
      ? make.ivfPq({ distanceType: 'cosine', numSubVectors: dimensions / roundedDimensions })
      : make.ivfFlat({ distanceType: 'cosine' });
    return [ids, { column: 'vector', type: rounded ? 'IvfPq' : 'IvfFlat', config }];
  };
}
