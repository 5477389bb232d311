import type { Added } from '../contracts/memory.ts';
import { escapeLine } from '../lib/escape-terminal.ts';

/** What could not be read, by name: `left out 2 that cannot be read: a.txt, locked`. */
export function unreadableLine({
  unreadable,
  unreadablePaths,
}: Pick<Added, 'unreadable' | 'unreadablePaths'>): string {
  const more = unreadable - unreadablePaths.length;
  const names = unreadablePaths.map(escapeLine).join(', ');
  const rest = more > 0 ? ` and ${more} more` : '';
  return `left out ${unreadable} that cannot be read, for want of permission or for a name that is no UTF-8 or holds a control character or a backslash: ${names}${rest}`;
}
