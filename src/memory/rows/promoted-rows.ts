import type { MemoryLayer, MemoryRow } from '../../contracts/memory.ts';
import { isKept, keptKinds } from '../layers.ts';
import { memoryId } from '../memory-record.ts';
import { whereClause } from '../tables/where-clause.ts';
import type { RowReader } from './read-rows.ts';

type Chosen = { id: string; reason: string };
type Reader = Pick<RowReader, 'list'>;

/** The next layer of a fact; the last layer has none. */
const above: Readonly<Record<MemoryLayer, MemoryLayer | undefined>> = {
  interact: 'insights',
  insights: 'assets',
  assets: undefined,
};

/**
 * The rows that a promotion writes. A kept fact moves one layer up and stays one row; a turn is
 * copied, as turns stay whole. Rows that are there already, or that a person took back, are left
 * out.
 *
 * @param options.isShared whether other machines read a layer; only the team's rows move there
 */
export async function promoted(
  chosen: readonly Chosen[],
  { list }: Reader,
  options: { isShared(layer: MemoryLayer): boolean },
): Promise<(MemoryRow & { from: string })[]> {
  const reasons = new Map(chosen.map(({ id, reason }) => [id, reason]));
  const rows = await list({ ids: [...reasons.keys()] }, reasons.size);
  const made = rows.flatMap(({ id: from, record }) => {
    const layer = above[record.layer];
    const why = reasons.get(from) ?? '';
    if (layer === undefined || record.stays) return [];
    if (options.isShared(layer) && record.scope !== 'team' && isKept(record)) return [];
    if (!isKept(record) && record.layer !== 'interact') return [];
    const tags = [...new Set([...record.tags, 'promoted', `because:${why}`])];
    const next = { ...record, layer, tags, why };
    return [{ id: isKept(record) ? from : memoryId(next), from, record: next }];
  });
  const copies = made.filter(({ id, from }) => id !== from).map(({ id }) => id);
  const known = new Set(
    (await list({ layer: 'insights', ids: copies }, copies.length)).map(({ id }) => id),
  );
  return made.filter(({ id, from }) => id === from || !known.has(id));
}

/**
 * Rows that go back to where they were said: a fact moves, the copy of a turn goes. No job promotes
 * them again.
 *
 * @returns for each its id, and the rows to be written; `copy` where the row itself goes
 */
export async function demoted(
  ids: readonly string[],
  { list }: Reader,
): Promise<{ id: string; copy?: true; back: MemoryRow[] }[]> {
  const rows = await list({ ids }, ids.length);
  const made: { id: string; copy?: true; back: MemoryRow[] }[] = [];
  for (const { id, record } of rows) {
    if (record.layer === 'interact' || !record.tags.includes('promoted')) continue;
    const tags = record.tags.filter((tag) => tag !== 'promoted' && !tag.startsWith('because:'));
    const why = 'taken back by a person';
    const origin = { ...record, layer: 'interact' as const, tags, why, stays: true as const };
    if (isKept(record)) {
      made.push({ id, back: [{ id, record: origin }] });
      continue;
    }
    const turn = memoryId(origin);
    const [there] = await list({ ids: [turn] }, 1);
    const back =
      there === undefined ? [] : [{ ...there, record: { ...there.record, stays: true as const } }];
    made.push({ id, copy: true, back });
  }
  return made;
}

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
