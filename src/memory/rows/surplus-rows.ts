import type { MemoryLayer } from '../../contracts/memory.ts';
import { isKept, keptKinds } from '../kinds.ts';
import { whereClause } from '../tables/where-clause.ts';
import type { RowReader } from './read-rows.ts';

/**
 * Ids of the rows that a layer does not keep: rows older than a time, and above a number the least
 * useful and oldest. Facts that a person asked to keep are neither listed nor counted.
 */
export async function surplusRows(
  layer: MemoryLayer,
  keeps: { maxRows: number; beforeMs: number | undefined; worth: ReadonlyMap<string, number> },
  { readOne, pendingRows }: RowReader,
): Promise<string[]> {
  const { maxRows, beforeMs = Number.NEGATIVE_INFINITY, worth } = keeps;
  if (maxRows === Number.POSITIVE_INFINITY && beforeMs === Number.NEGATIVE_INFINITY) return [];
  const inTable = (await readOne(layer, (table) => table.times(undefined))) ?? [];
  const waiting = pendingRows({ layer }).filter(({ record }) => !isKept(record));
  const isOld = ({ ts }: { ts: number }) => ts < beforeMs;
  if (inTable.length + waiting.length <= maxRows && !inTable.some(isOld)) return [];
  const keptOnly = `${whereClause({ kinds: keptKinds })} AND source IS NULL`;
  const kept = await readOne(layer, (table) => table.times(keptOnly));
  const stays = new Set((kept ?? []).map(({ id }) => id));
  const loose = inTable.filter(({ id }) => !stays.has(id));
  const tooMany = loose.length - Math.max(0, maxRows - waiting.length);
  const worthOf = ({ id }: { id: string }) => worth.get(id) ?? 0;
  return loose
    .sort((one, other) => worthOf(one) - worthOf(other) || one.ts - other.ts)
    .filter((row, at) => at < tooMany || isOld(row))
    .map(({ id }) => id);
}
