import * as host from 'cuervo:host/memory@0.1.0';
import { hostCall } from '../host-error.ts';

export type { Hit } from 'cuervo:host/memory@0.1.0';

/** Earlier texts of this workspace that match, best first, at most `k`. */
export function search(query: string, k = 10): host.Hit[] {
  return hostCall(() => host.search(query, k));
}

/** Kept under the plugin's name; returns the id. */
export function remember(text: string, kind = 'note', tags: string[] = []): string {
  return hostCall(() => host.remember(text, kind, tags));
}
