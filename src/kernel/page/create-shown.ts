import { escapeLine, escapeTerminal } from '../../lib/text/escape.ts';
import type { RemoteGuard } from '../remote-guard.ts';

/** Fields that name something by its id or digest, which no look for secrets may change. */
const idFields: ReadonlySet<string> = new Set(['id', 'run', 'step', 'session', 'needs', 'status']);
const isId = /^[\w.:-]{1,64}$/;

/** Fields that are one line, whatever a stranger wrote into them. */
const lineFields: ReadonlySet<string> = new Set(['path', 'source', 'name', 'tool', 'workspace']);

/** A value with each of its texts as it may be shown: redacted as for a model elsewhere, and escaped. */
export type Shown = <Value>(value: Value) => Value;

export function createShown(guard: Pick<RemoteGuard, 'part' | 'notices'>): Shown {
  const textOf = (text: string, field: string): string => {
    if (idFields.has(field) && isId.test(text)) return text;
    const safe = guard.part(text);
    return lineFields.has(field) ? escapeLine(safe) : escapeTerminal(safe);
  };
  const safeValue = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return textOf(value, field);
    if (Array.isArray(value)) return value.map((each) => safeValue(each, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [textOf(key, 'id'), safeValue(each, key)]),
    );
  };
  return (value) => {
    const shown = safeValue(value, '') as typeof value;
    // Nobody asks what was redacted; a page that is open for days must not keep it.
    guard.notices();
    return shown;
  };
}
