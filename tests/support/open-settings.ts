import type { Store } from '../../src/contracts/store.ts';
import type { JsonObject } from '../../src/contracts/tool.ts';

/** Settings of a store, in memory; `kept` is what they are. */
export function openSettings(): Pick<Store, 'getSetting' | 'setSetting'> & {
  kept: Map<string, JsonObject>;
} {
  const kept = new Map<string, JsonObject>();
  return {
    kept,
    getSetting: (key) => kept.get(key),
    setSetting: (key, value) => void kept.set(key, value),
  };
}
