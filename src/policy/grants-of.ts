import type { Grant } from '../contracts/capability.ts';
import { isExpired } from './change-grants.ts';
import type { GrantEntry } from './parse-grants-file.ts';

/**
 * The grants that hold for one binary now: entries of its name and its digest that have not
 * expired, everywhere or in this project. Another digest of the same plugin holds nothing.
 *
 * @param holder.project the workspace; without one, what holds everywhere
 * @param nowMs ms since the epoch
 */
export function grantsOf(
  entries: readonly GrantEntry[],
  holder: { plugin: string; digest: string; project?: string },
  nowMs: number,
): Grant[] {
  return entries
    .filter(({ plugin, digest }) => plugin === holder.plugin && digest === holder.digest)
    .filter(({ project }) => project === undefined || project === holder.project)
    .filter((entry) => !isExpired(entry, nowMs))
    .flatMap(({ capabilities }) => capabilities);
}
