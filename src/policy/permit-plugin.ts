import { capabilityNames } from '../contracts/capabilities.ts';
import type { Grant } from '../contracts/capability.ts';
import { isExpired } from './change-grants.ts';
import {
  type Decision,
  decide,
  heldGrants,
  type PolicyConfig,
  type RequestingPlugin,
} from './decide.ts';
import type { GrantEntry } from './parse-grants-file.ts';

export type PluginPermission = {
  /** capability -> the reason for the guest, and the granting command for the person */
  denied: Record<string, { reason: string; hint: string }>;
  /** capabilities without a grant, for which a person may still allow single calls */
  asked: string[];
  roots: string[];
  /** names of writable roots; reading and writing are granted apart */
  writeRoots: string[];
};

/**
 * The permissions of one plugin in one run: its requests decided one by one. Requests that a person
 * may be asked about are not denied here: each call is decided by itself.
 *
 * @param grants those that hold for this plugin's digest now, and those of this run
 */
export function permitPlugin(
  manifest: RequestingPlugin,
  grants: readonly Grant[],
  config: PolicyConfig,
): PluginPermission {
  const permission: PluginPermission = { denied: {}, asked: [], roots: [], writeRoots: [] };
  for (const capability of capabilityNames) {
    const found = decide({ capability }, manifest, grants, config);
    if (found.decision === 'ask') permission.asked.push(capability);
    if (found.decision === 'deny') {
      permission.denied[capability] = suggestWorkspace(found, capability, manifest, grants, config);
    }
  }
  const details = heldGrants(manifest, grants).flatMap(({ detail }) => detail ?? []);
  const rootsOf = (capability: 'fs' | 'fs-write'): string[] =>
    [...new Set(details)].filter(
      (detail) => decide({ capability, detail }, manifest, grants, config).decision === 'allow',
    );
  return { ...permission, roots: rootsOf('fs'), writeRoots: rootsOf('fs-write') };
}

/** Any root would help; suggests the workspace, which nearly everybody means. */
function suggestWorkspace(
  found: Exclude<Decision, { decision: 'allow' }>,
  capability: string,
  manifest: RequestingPlugin,
  grants: readonly Grant[],
  config: PolicyConfig,
): { reason: string; hint: string } {
  const { reason, hint } = found;
  if (capability !== 'fs') return { reason, hint };
  const ofWorkspace = decide({ capability, detail: 'work' }, manifest, grants, config);
  return { reason, hint: ofWorkspace.decision === 'allow' ? hint : ofWorkspace.hint };
}

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
    .flatMap(({ capabilities, grantedMs }) =>
      capabilities.map((grant) => (grant.capability === 'tools' ? { ...grant, grantedMs } : grant)),
    );
}
