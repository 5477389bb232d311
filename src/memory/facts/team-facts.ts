import type { MemoryFilter, MemoryHit, MemoryRow } from '../../contracts/memory.ts';
import type { MemoryRows } from '../../contracts/memory-store.ts';

type List = (filter: MemoryFilter, limit: number) => Promise<readonly MemoryRow[]>;

/** How many links of a chain of corrections are followed over the network. */
const maxHops = 4;

/**
 * Reads the team's facts among the hits, and the facts that they replaced, from the shared store:
 * another machine may have replaced or ended a fact that still holds in this machine's book.
 */
export async function teamFacts(
  hits: readonly Pick<MemoryHit, 'id' | 'scope'>[],
  list: List,
): Promise<ReadonlyMap<string, MemoryRow>> {
  const found = new Map<string, MemoryRow>();
  let wanted = hits.filter(({ scope }) => scope === 'team').map(({ id }) => id);
  for (let hops = 0; hops < maxHops && wanted.length > 0; hops += 1) {
    const rows = await list({ ids: wanted }, wanted.length);
    for (const row of rows) found.set(row.id, row);
    const linked = rows.flatMap(({ record }) => linksOf(record));
    wanted = [...new Set(linked)].filter((id) => !found.has(id));
  }
  return found;
}

/** @param rows of the shared store; undefined where it cannot be reached */
export function asInStore(
  hits: readonly MemoryHit[],
  rows: ReadonlyMap<string, MemoryRow> | undefined,
): MemoryHit[] {
  if (rows === undefined) return [...hits];
  return hits.flatMap((hit) => {
    const record = rows.get(hit.id)?.record;
    if (record === undefined) return hit.scope === 'team' ? [] : [hit];
    const { context: _indexed, ...shown } = record;
    return [{ ...hit, ...shown }];
  });
}

/**
 * Chains of facts in which rows of the shared store take the place of this machine's. A team's fact
 * that the store lacks was forgotten on another machine.
 */
export function withTeam(
  book: Pick<MemoryRows, 'chain'>,
  rows: ReadonlyMap<string, MemoryRow> = new Map(),
): Pick<MemoryRows, 'chain'> {
  if (rows.size === 0) return book;
  const chain = (id: string): MemoryRow[] => {
    const linked = new Map<string, MemoryRow>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const row = rows.get(next);
      const known = row === undefined ? book.chain(next) : [row];
      for (const one of known) {
        const isForgotten = one.record.scope === 'team' && !rows.has(one.id);
        if (isForgotten || linked.has(one.id)) continue;
        linked.set(one.id, rows.get(one.id) ?? one);
        open.push(...linksOf(one.record), one.id);
      }
    }
    return [...linked.values()].sort((one, other) => other.record.ts - one.record.ts);
  };
  return { chain };
}

function linksOf({ replaces = [], replacedBy }: MemoryRow['record']): string[] {
  return replacedBy === undefined ? [...replaces] : [...replaces, replacedBy];
}
