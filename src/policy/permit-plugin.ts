import type { CapabilityName, Grant } from '../contracts/capability.ts';
import { capabilityNames } from '../contracts/capability.ts';
import { builtinGrants, decide } from './decide.ts';

export type PluginPermission = {
  /** capability -> why it is denied, for the guest, and what grants it, for the person */
  denied: Record<string, { reason: string; hint: string }>;
  /** names of the roots that may be read */
  roots: string[];
  /** names of those that may be written; reading one is no leave to write it, nor the other way */
  writeRoots: string[];
};

/**
 * What one plugin may do in one run: its requests decided one by one.
 *
 * @param grants those that hold for this plugin's digest now, and those of this run
 */
export function permitPlugin(
  holder: { plugin: string; builtin: boolean },
  capabilities: readonly string[],
  grants: readonly Grant[],
): PluginPermission {
  const denied: PluginPermission['denied'] = {};
  const wanted = new Set(capabilities);
  for (const capability of capabilityNames) {
    const decision = decideWanted(capability, wanted, holder, grants);
    if (decision !== undefined) denied[capability] = decision;
  }
  const held = holder.builtin ? [...builtinGrants, ...grants] : grants;
  const rootsOf = (capability: 'fs' | 'fs-write'): string[] => {
    if (denied[capability] !== undefined) return [];
    const details = held.flatMap(({ detail }) => (detail === undefined ? [] : [detail]));
    return [...new Set(details)].filter(
      (detail) => decide({ capability, detail }, holder, grants).decision === 'allow',
    );
  };
  return { denied, roots: rootsOf('fs'), writeRoots: rootsOf('fs-write') };
}

function decideWanted(
  capability: CapabilityName,
  wanted: ReadonlySet<string>,
  holder: { plugin: string; builtin: boolean },
  grants: readonly Grant[],
): { reason: string; hint: string } | undefined {
  if (capability !== 'log' && !wanted.has(capability)) {
    const reason = `${holder.plugin} does not want ${capability}`;
    return { reason, hint: `cuervo plugin list shows what ${holder.plugin} wants` };
  }
  const decision = decide({ capability }, holder, grants);
  if (decision.decision === 'allow') return undefined;
  if (capability !== 'fs' && capability !== 'fs-write') return decision;
  // Any root would do; the one that nearly everybody means is the one to suggest.
  const ofWorkspace = decide({ capability, detail: 'work' }, holder, grants);
  return ofWorkspace.decision === 'allow' ? undefined : { ...decision, hint: ofWorkspace.hint };
}
