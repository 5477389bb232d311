import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryEmbedder, MemoryLayer, MemoryReranker } from '../../src/contracts/memory.ts';
import { withVectors } from '../../src/memory/flush-pending.ts';
import { searchMemory } from '../../src/memory/search/search-memory.ts';
import { type LanceIndex, openLanceIndex } from '../../src/memory/tables/lance-index.ts';
import type { FoundRow, LanceTable } from '../../src/memory/tables/lance-table.ts';
import { localPlace } from '../../src/memory/tables/table-place.ts';
import { vectorText } from '../../src/memory/texts.ts';
import { foundIds } from './found-ids.ts';
import { fuseByRank, type Judged } from './memory-score.ts';
import type { Collection } from './memory-sets.ts';

/** Arms of the search by name, each with what it found for every question. */
export type Arms = Map<string, Judged[]>;

const { signal } = new AbortController();
const deep = 100;
const shown = 32;

export type MeasureOptions = {
  alphas?: readonly number[];
  /** by the name of the arm */
  rerankers?: ReadonlyMap<string, MemoryReranker>;
  /** sentence models beside the embedder, by the name of the arm, as a model in the models folder is */
  meanings?: ReadonlyMap<string, MemoryEmbedder>;
};

/** Indexes a collection as memory does, and asks all its questions of every arm. */
export async function measureCollection(
  collection: Collection,
  embedder: MemoryEmbedder,
  options: MeasureOptions = {},
): Promise<Arms> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-memory-'));
  using index = openLanceIndex(localPlace(folder));
  try {
    const layer = collection.rows[0]?.record.layer ?? 'interact';
    await fill(index, layer, collection, embedder);
    return await ask(index, layer, collection, embedder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(
  index: LanceIndex,
  layer: MemoryLayer,
  { rows }: Collection,
  embedder: MemoryEmbedder,
): Promise<void> {
  for (let from = 0; from < rows.length; from += 1_000) {
    const made = await withVectors(rows.slice(from, from + 1_000), embedder, signal);
    await index.write(layer, embedder, (table) => table.write(made));
  }
  await index.change(layer, (table) => table.optimize(Date.now(), true));
}

async function ask(
  index: LanceIndex,
  layer: MemoryLayer,
  { rows, questions, bySession = false }: Collection,
  embedder: MemoryEmbedder,
  { alphas = [], rerankers = new Map(), meanings = new Map() }: MeasureOptions,
): Promise<Arms> {
  const keyOf = new Map(rows.map(({ id, key }) => [id, key]));
  const keys = (ids: readonly string[]) => ids.map((id) => keyOf.get(id) ?? id);
  const asked = async (arm: (table: LanceTable) => Promise<FoundRow[]>) =>
    keys(
      (await index.change(layer, async (table) => await foundIds(table, await arm(table)))) ?? [],
    );
  const sessionOf = new Map(rows.map(({ key, record }) => [key, record.session]));
  const sessionsOf = (found: readonly string[]): string[] => [
    ...new Set(found.flatMap((key) => sessionOf.get(key) ?? [])),
  ];
  const newestMs = Math.max(...rows.map(({ record }) => record.ts));
  const ports = {
    index,
    journal: emptyJournal,
    clock: { nowMs: () => newestMs },
    warn: (message: string) => {
      throw new Error(message);
    },
  };
  // as the job does behind commands
  const texts = rows.map(({ record }) => vectorText(record));
  if (layer !== 'assets') {
    for (const meaning of new Set(meanings.values())) await meaning.embed(texts, { signal });
  }
  const fused = async (
    text: string,
    alpha: number,
    models: { reranker?: MemoryReranker; meaning?: MemoryEmbedder } = {},
  ) => {
    const query = { text, limit: shown };
    const using = {
      embedder: async () => ({ ...embedder, alpha }),
      reranker: async () => models.reranker,
      meaning: async () => models.meaning,
    };
    const use = { ...ports, ...using };
    return keys((await searchMemory(use, query, { signal })).map(({ id }) => id));
  };
  const arms: Arms = new Map();
  for (const [at, { text, relevant, category }] of questions.entries()) {
    const judge = (arm: string, found: string[]) => {
      const list = arms.get(arm) ?? [];
      const sessions = { found: sessionsOf(found), relevant: sessionsOf(relevant) };
      const judged = bySession
        ? { found: sessions.found, relevant }
        : { found, relevant, ...(sessions.relevant.length === 0 ? {} : { sessions }) };
      list.push({ ...judged, category, isOdd: at % 2 === 1 });
      arms.set(arm, list);
    };
    const [vector] = await embedder.embed([text], { signal, isQuery: true });
    const words = await asked((table) => table.searchWords(text, undefined, deep));
    const near = await asked((table) =>
      table.searchVector(vector as Float32Array, undefined, deep),
    );
    judge('fts', words);
    judge('dense', near);
    judge('fused', await fused(text, embedder.alpha));
    judge('fused-rank', fuseByRank([words, near]));
    for (const [arm, reranker] of rerankers) {
      const meaning = meanings.get(arm);
      const models = { reranker, ...(meaning === undefined ? {} : { meaning }) };
      judge(arm, await fused(text, embedder.alpha, models));
    }
    for (const alpha of alphas) judge(`alpha-${alpha}`, await fused(text, alpha));
  }
  return arms;
}

const emptyJournal = {
  append: () => {},
  pending: () => [],
  count: () => 0,
  remove: () => {},
  tryLock: () => undefined,
};
