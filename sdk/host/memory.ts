import * as host from 'cuervo:host/memory@0.1.0';
import { hostCall } from '../host-error.ts';
import { asNumber, asText, asTexts } from './argument.ts';

export type { Hit } from 'cuervo:host/memory@0.1.0';

/** Earlier texts of this workspace that match, best first, at most `k`. */
export function search(query: string, k = 10): host.Hit[] {
  const words = asText(query, 'memory.search: "query"');
  const most = asNumber(k, 'memory.search: "k"');
  return hostCall(() => host.search(words, most));
}

/** Kept under the plugin's name; returns the id. */
export function remember(text: string, kind = 'note', tags: string[] = []): string {
  const kept = asText(text, 'memory.remember: "text"');
  const named = asText(kind, 'memory.remember: "kind"');
  const tagged = asTexts(tags, 'memory.remember: "tags"');
  return hostCall(() => host.remember(kept, named, tagged));
}
