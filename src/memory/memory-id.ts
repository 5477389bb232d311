import { createHash } from 'node:crypto';
import type { MemoryRecord } from '../contracts/memory.ts';

/**
 * SHA-256 of scope (layer, project, kind) and text, hex: the same words in the same scope are one
 * row, whoever writes them and however often. JSON keeps the parts apart.
 */
export function memoryId(
  record: Pick<MemoryRecord, 'layer' | 'project' | 'kind' | 'text'>,
): string {
  const scope = JSON.stringify([record.layer, record.project, record.kind, record.text]);
  return createHash('sha256').update(scope).digest('hex');
}
