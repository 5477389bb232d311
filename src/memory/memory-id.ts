import { createHash } from 'node:crypto';
import type { MemoryRecord } from '../contracts/memory.ts';
import { isKept } from './kinds.ts';

/**
 * SHA-256 of scope (layer, project, kind, source) and text, hex: the same words in the same scope
 * are one row, however often they are written. What a plugin remembers has its name as source, so it
 * takes the place of nobody else's. A fact that took the place of
 * others is one with these. JSON keeps the parts apart.
 */
export function memoryId(
  record: Pick<MemoryRecord, 'layer' | 'project' | 'kind' | 'text' | 'source' | 'replaces'>,
): string {
  // a fact keeps its id in whichever layer it comes to lie
  const layer = isKept(record) ? 'interact' : record.layer;
  const parts = [layer, record.project, idKind(record), record.text];
  if (record.layer === 'assets' || record.source !== undefined) parts.push(record.source ?? '');
  // what is said again after something else held is another fact, and the chain stays one
  if (record.replaces !== undefined) parts.push(...record.replaces);
  const scope = JSON.stringify(parts);
  return createHash('sha256').update(scope).digest('hex');
}

/** Facts were called notes, and rows from then are the same rows. */
function idKind({ kind, source }: Pick<MemoryRecord, 'kind' | 'source'>): string {
  return kind === 'fact' && source === undefined ? 'note' : kind;
}
