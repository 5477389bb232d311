import type { MemoryUpkeep } from '../contracts/memory.ts';
import type { MemorySource, MemorySources, MemoryUses } from '../contracts/memory-store.ts';
import { noText } from './add-documents.ts';

/** Names in one filter. */
const namesAtOnce = 500;

export type Vacuumed = {
  /** sources that were marked as read and have no rows */
  sources: number;
  /** counts of use whose rows are gone */
  uses: number;
};

/**
 * Removes rows that belong to nothing any more: marks of sources without a piece, which would keep
 * a file from being read, and counts of use without a row. Forgotten rows stay forgotten.
 */
export async function vacuumOrphans(
  ports: {
    memory: Pick<MemoryUpkeep, 'list' | 'sources'>;
    sources: MemorySources;
    uses: MemoryUses;
  },
  { signal }: { signal: AbortSignal },
): Promise<Vacuumed> {
  const { memory, sources, uses } = ports;
  const vacuumed = { sources: 0, uses: 0 };
  for (const project of sources.projects()) {
    signal.throwIfAborted();
    const marked = sources.all(project).filter(isExpected);
    const there = await memory.sources({ layer: 'assets', project }, { signal });
    const empty = marked.filter(({ source }) => !there.has(source));
    for (const { source } of empty) sources.remove(project, source);
    vacuumed.sources += empty.length;
  }
  const used = uses.all();
  for (let at = 0; at < used.length; at += namesAtOnce) {
    signal.throwIfAborted();
    const ids = used.slice(at, at + namesAtOnce).map(({ id }) => id);
    const rows = await memory.list({ ids }, { signal, limit: ids.length });
    const alive = new Set(rows.map(({ id }) => id));
    const gone = ids.filter((id) => !alive.has(id));
    uses.remove(gone);
    vacuumed.uses += gone.length;
  }
  return vacuumed;
}

/** Whether a source should have pieces: empty, forgotten and textless ones have none. */
function isExpected({ bytes, hash, forgottenMs }: MemorySource): boolean {
  return forgottenMs === undefined && hash !== noText && bytes > minBytes;
}

/** A few blank lines have no piece either. */
const minBytes = 64;
