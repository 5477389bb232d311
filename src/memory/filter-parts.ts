import {
  everyProject,
  type LayerCounts,
  type MemoryFilter,
  memoryLayers,
} from '../contracts/memory.ts';
import { sourcesAtOnce } from './file-documents.ts';

/**
 * The filter for rows of a workspace, by so many sources at a time that its SQL stays short. A row or
 * run that is named may be one that holds in every workspace.
 */
export function* filterParts(
  project: string,
  filter: MemoryFilter,
): Generator<MemoryFilter, void, undefined> {
  const isNamed = filter.ids !== undefined || filter.run !== undefined;
  const mine = isNamed ? { projects: [project, everyProject], ...filter } : { project, ...filter };
  const { sources } = filter;
  if (sources === undefined) return yield mine;
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    yield { ...mine, sources: sources.slice(at, at + sourcesAtOnce) };
  }
}

export async function sumOf(
  parts: Iterable<MemoryFilter>,
  work: (part: MemoryFilter) => Promise<LayerCounts>,
): Promise<LayerCounts> {
  const sum = { interact: 0, insights: 0, assets: 0 };
  for (const part of parts) {
    const counts = await work(part);
    for (const layer of memoryLayers) sum[layer] += counts[layer];
  }
  return sum;
}
