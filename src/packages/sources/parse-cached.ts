import * as v from 'valibot';
import type { FetchedPlugin } from './fetched-plugin.ts';

const proof = v.union([
  v.object({ kind: v.literal('sigstore'), bundle: v.unknown() }),
  v.object({ kind: v.literal('key'), key: v.string(), signature: v.string() }),
]);

const cached = v.object({
  source: v.string(),
  base: v.string(),
  resolved: v.string(),
  version: v.exactOptional(v.string()),
  carrier: v.exactOptional(v.picklist(['npm', 'oci'])),
  proofs: v.array(v.object({ proof, about: v.picklist(['wasm', 'carrier']) })),
});

export function parseCached(
  text: string,
): Omit<FetchedPlugin, 'bytes' | 'carrier' | 'notes'> & { carrier?: 'npm' | 'oci' } {
  return v.parse(cached, JSON.parse(text), { abortEarly: true });
}
