import { createHash } from 'node:crypto';
import type { MemoryRecord } from '../contracts/memory.ts';

/**
 * SHA-256 of scope (layer, project, kind, of an asset its source) and text, hex: the same words in
 * the same scope are one row, whoever writes them and however often. JSON keeps the parts apart.
 */
export function memoryId(
  record: Pick<MemoryRecord, 'layer' | 'project' | 'kind' | 'text' | 'source'>,
): string {
  const parts = [record.layer, record.project, record.kind, record.text];
  if (record.layer === 'assets') parts.push(record.source ?? '');
  const scope = JSON.stringify(parts);
  return createHash('sha256').update(scope).digest('hex');
}
