import { isCapability } from '../contracts/capabilities.ts';
import type { Grant } from '../contracts/capability.ts';
import type { HostCallRow } from '../contracts/store.ts';
import { workRoot } from '../lib/files/paths.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';

/** The host calls that needed one grant. */
export type NeededGrant = { grant: string; calls: number; denied: number };

/**
 * The least grants that would have let these calls succeed, as `grants.toml` can say them.
 *
 * @returns by grant, sorted; calls that need none, or that failed for another reason, are left out
 */
export function neededGrants(
  calls: readonly Pick<HostCallRow, 'call' | 'target' | 'outcome' | 'times'>[],
): NeededGrant[] {
  const needed = new Map<string, NeededGrant>();
  for (const { call, target, outcome, times = 1 } of calls) {
    const isDenied = outcome === 'denied';
    if (outcome !== 'ok' && !isDenied) continue;
    const grant = grantFor(call.split('.')[0] ?? '', target);
    if (grant === undefined) continue;
    const text = formatGrant(grant);
    const found = needed.get(text) ?? { grant: text, calls: 0, denied: 0 };
    found.calls += times;
    if (isDenied) found.denied += times;
    needed.set(text, found);
  }
  return [...needed.values()].toSorted((one, other) => (one.grant < other.grant ? -1 : 1));
}

function grantFor(capability: string, target: string): Grant | undefined {
  if (!isCapability(capability)) return undefined;
  const details: Readonly<Record<string, string | undefined>> = {
    fs: rootOf(target),
    'fs-write': rootOf(target),
    exec: /^'?([^\s']+)/.exec(target)?.[1],
    http: originOf(target),
  };
  const detail = details[capability];
  try {
    return parseGrant(detail === undefined ? capability : `${capability}:${detail}`);
  } catch {
    // A call without a grant, or with too few facts in the journal.
    return undefined;
  }
}

/** A path without a root lies in the workspace. */
function rootOf(target: string): string {
  return /^([a-z][a-z0-9-]*):/.exec(target)?.[1] ?? workRoot;
}

/** `GET https://example.org/path` -> `https://example.org` */
function originOf(target: string): string | undefined {
  return URL.parse(target.split(' ').at(-1) ?? '')?.origin;
}
