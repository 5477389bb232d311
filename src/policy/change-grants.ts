import type { Grant } from '../contracts/capability.ts';
import { formatGrant } from './parse-grant.ts';
import type { GrantEntry } from './parse-grants-file.ts';

/**
 * The entries with `added` among them. It replaces an earlier entry of the same binary for the same
 * grant and place, whatever its end.
 */
export function addGrants(entries: readonly GrantEntry[], added: GrantEntry): GrantEntry[] {
  const others = entries.flatMap((entry) =>
    entry.plugin === added.plugin &&
    entry.digest === added.digest &&
    entry.project === added.project
      ? without(entry, added.capabilities)
      : [entry],
  );
  return [...others, added];
}

/**
 * The entries without these grants of a plugin, whichever binary of that name holds them.
 *
 * @param grants undefined takes everything
 * @param project takes only grants for this workspace; undefined takes them everywhere
 */
export function takeGrants(
  entries: readonly GrantEntry[],
  plugin: string,
  grants: readonly Grant[] | undefined,
  project?: string,
): { left: GrantEntry[]; taken: Grant[] } {
  const isMeant = (entry: GrantEntry): boolean =>
    entry.plugin === plugin && (project === undefined || entry.project === project);
  const ofPlugin = entries.filter(isMeant);
  const held = ofPlugin.flatMap(({ capabilities }) => capabilities);
  const taken = grants === undefined ? held : held.filter((grant) => isAmong(grant, grants));
  const left = entries.flatMap((entry) => (isMeant(entry) ? without(entry, taken) : [entry]));
  return { left, taken: unique(taken) };
}

/** @param nowMs ms since the epoch; an entry that ends now has ended */
export function isExpired(entry: Pick<GrantEntry, 'expiresMs'>, nowMs: number): boolean {
  return entry.expiresMs !== undefined && entry.expiresMs <= nowMs;
}

/** Whether exactly this grant is in the list; `fs:work` is not `fs:docs`. */
export function isAmong(grant: Grant, grants: readonly Grant[]): boolean {
  return grants.some((other) => formatGrant(other) === formatGrant(grant));
}

function without(entry: GrantEntry, grants: readonly Grant[]): GrantEntry[] {
  const capabilities = entry.capabilities.filter((grant) => !isAmong(grant, grants));
  if (capabilities.length === entry.capabilities.length) return [entry];
  return capabilities.length === 0 ? [] : [{ ...entry, capabilities }];
}

function unique(grants: readonly Grant[]): Grant[] {
  return [...new Map(grants.map((grant) => [formatGrant(grant), grant])).values()];
}
