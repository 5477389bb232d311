import { createHash } from 'node:crypto';

/** The key of a text's vectors: 128 bits of SHA-256, as hex. */
export function textKey(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
