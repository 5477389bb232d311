import { KernelError, reasonOf } from '../../contracts/error.ts';
import {
  type MemoryHit,
  type MemoryLayer,
  type MemoryQuery,
  memoryLayers,
} from '../../contracts/memory.ts';
import type { MemoryJournal } from '../../contracts/memory-store.ts';
import { contentWords } from '../content-words.ts';
import type { LanceIndex } from '../tables/lance-index.ts';
import { cutText } from '../texts.ts';
import { maxQueryCharacters, type SearchPorts, searchMemory } from './search-memory.ts';

type Ports = Omit<SearchPorts, 'journal'> & { journal: MemoryJournal };
type Options = Parameters<typeof searchMemory>[2];

/** Rows of a layer whose table cannot be read. */
const maxBookRows = 5_000;

/**
 * Searches everything that can be read. A table of this machine that is missing or broken is left
 * out; the book's rows of its layer are searched instead, and the person is told.
 */
export async function searchThere(
  ports: Ports,
  query: MemoryQuery,
  options: Options,
): Promise<MemoryHit[]> {
  const { index, journal } = ports;
  const layers = memoryLayers.filter((layer) => query.layer === undefined || query.layer === layer);
  const own = layers.filter((layer) => !index.isShared(layer));
  const lost = await lostLayers(own, ports);
  let failure: unknown;
  if (lost.length === 0) {
    try {
      return await searchMemory(ports, query, options);
    } catch (thrown) {
      if (options.signal.aborted || !isBroken(thrown) || own.length === 0) throw thrown;
      failure = thrown;
    }
  }
  const missing = [...lost];
  for (const layer of layers) {
    if (lost.includes(layer)) continue;
    try {
      await searchMemory(ports, { ...query, layer }, options);
    } catch (thrown) {
      if (options.signal.aborted || !isBroken(thrown) || index.isShared(layer)) throw thrown;
      failure = thrown;
      missing.push(layer);
    }
  }
  // `missing` is empty if every table could be read by itself.
  if (missing.length > 0) ports.warn(missingText(missing, failure));
  const words = contentWords(cutText(query.text, maxQueryCharacters));
  // Negative numbers keep them apart from waiting rows.
  const rows = missing
    .flatMap((layer) => journal.book.ofLayer(layer, { limit: maxBookRows, words }))
    .map((row, at) => ({ ...row, seq: -1 - at }));
  const pending: MemoryJournal['pending'] = (page) => [...journal.pending(page), ...rows];
  // all at once, so that their scores are of one kind
  const there = { ...ports, index: withoutTables(index, missing), journal: { pending } };
  return await searchMemory(there, query, options);
}

/** Layers whose table is gone, though rows must be in it. */
async function lostLayers(
  layers: readonly MemoryLayer[],
  { index, journal }: Pick<Ports, 'index' | 'journal'>,
): Promise<MemoryLayer[]> {
  let there = new Set<MemoryLayer>();
  try {
    there = new Set((await index.tables(layers)).map(({ layer }) => layer));
  } catch (thrown) {
    // nothing tells which tables there are
    if (!isBroken(thrown)) throw thrown;
  }
  return layers.filter((layer) => !there.has(layer) && journal.book.isInTable(layer));
}

/** An error of the tables, not of the question. */
function isBroken(thrown: unknown): boolean {
  return thrown instanceof KernelError && ['unavailable', 'internal'].includes(thrown.code);
}

function missingText(layers: readonly MemoryLayer[], thrown: unknown): string {
  const why = thrown === undefined ? 'gone' : `not readable (${reasonOf(thrown)})`;
  const tables =
    layers.length === 1 ? `the table of ${layers[0]} is` : `the tables of ${layers.join(', ')} are`;
  const pieces = layers.includes('assets') ? ', and pieces of files are missing' : '';
  return `${tables} ${why}; what was said is found in cuervo.db${pieces}. Rebuild it with: cuervo memory rebuild`;
}

function withoutTables(index: LanceIndex, missing: readonly MemoryLayer[]): LanceIndex {
  const there = (layers: readonly MemoryLayer[]) =>
    layers.filter((layer) => !missing.includes(layer));
  return {
    ...index,
    tables: async (layers = memoryLayers) => await index.tables(there(layers)),
    read: (layers, work) => index.read(there(layers), work),
  };
}
