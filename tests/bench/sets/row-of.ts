import type { MemoryRecord } from '../../../src/contracts/memory.ts';
import { memoryId } from '../../../src/memory/memory-record.ts';
import type { Collection } from '../memory-sets.ts';

export function rowOf(
  key: string,
  record: Pick<MemoryRecord, 'layer' | 'text' | 'context' | 'kind' | 'ts' | 'session'>,
): Collection['rows'][number] {
  // By its key: where two say the same, each is judged by itself.
  const whole = { ...record, tags: [], project: '/', source: key };
  return { key, id: memoryId({ ...whole, layer: 'assets' }), record: whole };
}
