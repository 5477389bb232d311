import type { Added } from '../contracts/output/parse-memory.ts';
import { escapeLine } from '../lib/text/escape.ts';

/** Names what could not be read: `left out 2 that cannot be read: a.txt, locked`. */
export function unreadableLine({
  unreadable,
  unreadablePaths,
}: Pick<Added, 'unreadable' | 'unreadablePaths'>): string {
  const more = unreadable - unreadablePaths.length;
  const names = unreadablePaths.map(escapeLine).join(', ');
  const rest = more > 0 ? ` and ${more} more` : '';
  return `skipped ${unreadable} that cannot be read (no permission, or a name that is not UTF-8 or holds a control character or a backslash): ${names}${rest}`;
}
