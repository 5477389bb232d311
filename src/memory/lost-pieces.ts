import type { MemoryUpkeep } from '../contracts/memory.ts';
import type { MemorySource, MemorySources } from '../contracts/memory-store.ts';
import { asUnfinished, noText, unfinished } from './add-documents.ts';

type Ports = { memory: Pick<MemoryUpkeep, 'isEmpty'>; sources: MemorySources };

/**
 * Sources of a workspace that are marked as read but have no pieces, because somebody moved the
 * tables of memory away. Their marks would keep them from being read again.
 */
export async function lostSources(
  { memory, sources }: Ports,
  project: string,
): Promise<MemorySource[]> {
  const read = sources
    .all(project)
    .filter(({ forgottenMs, hash }) => forgottenMs === undefined && hash !== noText);
  return read.some(({ hash }) => hash !== unfinished) && (await memory.isEmpty('assets'))
    ? read
    : [];
}

/** Marks lost sources as unfinished, so that the next update reads them again. */
export async function readLostAgain(ports: Ports, project: string): Promise<void> {
  const lost = await lostSources(ports, project);
  ports.sources.put(lost.map(asUnfinished));
}
