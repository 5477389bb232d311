import type { MemoryFilter, MemoryHit, MemoryQuery, MemoryRow } from '../../contracts/memory.ts';
import type { MemoryRows } from '../../contracts/memory-store.ts';
import { contentWords } from '../content-words.ts';
import { matchesFilter } from '../tables/where-clause.ts';

/** The most replaced facts that are shown with the one that holds. */
const maxReplaced = 5;

/**
 * Shows one fact for each chain of facts that replaced each other: the one that holds, or that held
 * at the time that the question names. It takes the place of the chain's best hit and the likeness
 * of its nearest, and carries the others as `replaced`. Ended facts without a successor are left
 * out.
 */
export function settleFacts(
  hits: readonly MemoryHit[],
  query: MemoryQuery,
  book: Pick<MemoryRows, 'chain'>,
): MemoryHit[] {
  if (query.ended === true) return [...hits];
  const settled = new Map<string, MemoryHit>();
  const put = (hit: MemoryHit) => {
    if (!settled.has(hit.id)) settled.set(hit.id, hit);
  };
  const done = new Set<string>();
  for (const hit of hits) {
    if (hit.replaces === undefined && hit.replacedBy === undefined && hit.endedMs === undefined) {
      put(hit);
      continue;
    }
    if (done.has(hit.id)) continue;
    const chain = book.chain(hit.id);
    // A row of another machine is not in this book; only its own fields tell whether it holds.
    if (chain.length === 0 && hit.replacedBy === undefined && hit.endedMs === undefined) put(hit);
    for (const { id } of chain) done.add(id);
    const nearest = { ...hit, factors: { ...hit.factors, ...likenessIn(chain, hits) } };
    for (const row of chosenOf(chain, query)) {
      if (!matchesFilter(row, query)) continue;
      put({ ...hitOf(row, nearest), ...toldOf(row, chain) });
    }
  }
  return [...settled.values()];
}

/**
 * The best likeness in a chain: "releases moved to Fridays" tells less of its subject than the
 * sentence that it replaced.
 */
function likenessIn(
  chain: readonly MemoryRow[],
  hits: readonly MemoryHit[],
): Pick<MemoryHit['factors'], 'likeness'> {
  const ids = new Set(chain.map(({ id }) => id));
  const of = hits.flatMap(({ id, factors: { likeness } }) =>
    ids.has(id) && likeness !== undefined ? [likeness] : [],
  );
  return of.length === 0 ? {} : { likeness: Math.max(...of) };
}

/** Newest first: those that hold, or that held at the time that is asked about. */
function chosenOf(chain: readonly MemoryRow[], { asOf }: MemoryQuery): MemoryRow[] {
  const then = asOf === undefined ? [] : chain.filter((row) => heldAt(row, chain, asOf));
  if (then.length > 0) return then;
  return chain.filter(({ record }) => !record.replacedBy && record.endedMs === undefined);
}

function heldAt(
  { record }: MemoryRow,
  chain: readonly MemoryRow[],
  asOf: { fromMs: number; toMs: number },
): boolean {
  const next = chain.find(({ id }) => id === record.replacedBy)?.record;
  const endMs = next === undefined ? record.endedMs : startOf(next);
  return startOf(record) <= asOf.toMs && (endMs ?? Number.POSITIVE_INFINITY) > asOf.fromMs;
}

function startOf({ holdsMs, ts }: MemoryRow['record']): number {
  return holdsMs ?? ts;
}

function hitOf({ id, record }: MemoryRow, found: MemoryHit): MemoryHit {
  const { context: _indexed, ...shown } = record;
  return { id, score: found.score, ...shown, factors: found.factors };
}

/** The facts that a fact replaced, and those that they replaced, newest first. */
function toldOf(
  { id, record }: MemoryRow,
  chain: readonly MemoryRow[],
): { replaced?: NonNullable<MemoryHit['replaced']> } {
  const rows = new Map(chain.map((row) => [row.id, row.record]));
  const older: { id: string; text: string; ts: number }[] = [];
  const seen = new Set([id]);
  const next = [...(record.replaces ?? [])];
  for (let at = 0; at < next.length && older.length < maxReplaced; at += 1) {
    const of = next[at] ?? '';
    const row = rows.get(of);
    if (row === undefined || seen.has(of)) continue;
    seen.add(of);
    older.push({ id: of, text: row.text, ts: row.ts });
    next.push(...(row.replaces ?? []));
  }
  return older.length === 0 ? {} : { replaced: older };
}

/** The facts whose text has all words of `about`. If one has no other words, that fact alone. */
export function factsAbout(about: string, facts: readonly MemoryRow[]): MemoryRow[] {
  const wanted = new Set(contentWords(about));
  if (wanted.size === 0) return [];
  const found = facts.filter(({ record }) => wanted.isSubsetOf(new Set(contentWords(record.text))));
  const same = found.find(({ record }) => contentWords(record.text).length === wanted.size);
  return same === undefined ? found : [same];
}

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
