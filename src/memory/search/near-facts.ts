import type {
  MemoryEmbedder,
  MemoryLayer,
  MemoryQuery,
  MemoryRecord,
  MemoryRow,
} from '../../contracts/memory.ts';
import { isKept } from '../layers.ts';
import { untilDeadline } from '../rerank/rerank-hits.ts';
import { matchesFilter } from '../tables/where-clause.ts';
import { vectorText } from '../texts.ts';
import { cosineOf } from './rank-candidates.ts';

/** The newest; a look at each takes a few milliseconds. */
const maxFacts = 2_000;
const armRows = 100;
/** A search waits so long for missing vectors; the rest is made after the command, and kept. */
const timeoutMs = 1_500;

export type FactPorts = {
  /** valid facts of these workspaces, newest first; of all workspaces when undefined */
  facts?: (projects: readonly string[] | undefined) => readonly MemoryRow[];
  /** a sentence model beside the tables' embedder; undefined: there is none */
  meaning?: () => Promise<MemoryEmbedder | undefined>;
};

export type NearFacts = {
  /** of every fact that has a vector, by its id */
  cosines: ReadonlyMap<string, number>;
  /** the nearest, best first */
  nearest: readonly MemoryRow[];
};

/** An arm of its own: the facts that a person told, by the vectors of a sentence model. */
export async function nearFacts(
  ports: FactPorts,
  query: MemoryQuery,
  options: { asked: string; signal: AbortSignal },
): Promise<NearFacts | undefined> {
  const facts = (ports.facts?.(projectsOf(query)) ?? [])
    .filter((row) => matchesFilter(row, query))
    .slice(0, maxFacts);
  const use = facts.length === 0 ? undefined : await ports.meaning?.();
  if (use === undefined) return undefined;
  const { signal } = options;
  const [question] = (await use.embed([options.asked], { signal, isQuery: true })) ?? [];
  // a model that has to start first is waited for
  const deadline = untilDeadline(timeoutMs);
  const cosines = new Map<string, number>();
  for (let at = 0; at < facts.length; at += armRows) {
    const batch = facts.slice(at, at + armRows);
    const texts = batch.map(({ record }) => vectorText(record));
    const vectors = await deadline(use.embed(texts, { signal }));
    if (vectors === undefined) break;
    for (const [place, { id }] of batch.entries()) {
      const cosine = cosineOf(question, vectors[place]);
      if (cosine !== undefined) cosines.set(id, cosine);
    }
  }
  const nearness = ({ id }: MemoryRow) => cosines.get(id) ?? -1;
  const nearest = facts
    .filter(({ id }) => cosines.has(id))
    .sort((one, other) => nearness(other) - nearness(one))
    .slice(0, armRows);
  return { cosines, nearest };
}

function projectsOf({ project, projects }: MemoryQuery): readonly string[] | undefined {
  return projects ?? (project === undefined ? undefined : [project]);
}

/** The least share of turns with a vector: below, one order would mix two scales. */
const leastShare = 0.5;

/**
 * The sentence model's cosines of turns that other arms found, by vectors of earlier commands: only
 * the question's vector is made here. Facts have an arm of their own, and pieces of files gain
 * nothing.
 *
 * @param found candidates with their records
 * @returns cosines by the ids of the candidates; empty when most vectors are not made yet
 */
export async function turnMeanings(
  use: MemoryEmbedder,
  found: readonly { id: string; layer: MemoryLayer; record: MemoryRecord }[],
  options: { asked: string; signal: AbortSignal },
): Promise<Map<string, number>> {
  const turns = found.filter(({ layer, record }) => layer !== 'assets' && !isKept(record));
  const vectors = use.kept?.(turns.map(({ record }) => vectorText(record))) ?? [];
  const there = vectors.filter((vector) => vector !== undefined).length;
  if (there === 0 || there < leastShare * turns.length) return new Map();
  const { asked, signal } = options;
  const [question] = await use.embed([asked], { signal, isQuery: true });
  return new Map(
    turns.flatMap(({ id }, at): [string, number][] => {
      const cosine = cosineOf(question, vectors[at]);
      return cosine === undefined ? [] : [[id, cosine]];
    }),
  );
}
