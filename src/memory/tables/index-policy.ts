import type { Index } from '@lancedb/lancedb';
import type { MemoryLayer } from '../../contracts/memory.ts';

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
