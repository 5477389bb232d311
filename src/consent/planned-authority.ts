import type { PlannedCapability } from '../contracts/plan.ts';
import type { PluginPermission } from '../policy/permit-plugin.ts';

/**
 * The policy's present verdict on each capability that a plugin of a plan wants, root by root.
 *
 * @param command the program of a step, if it is known before the step runs: rules and grants are
 *   about single programs
 */
export function plannedAuthority(
  plugin: { capabilities: readonly string[] },
  { denied, asked, roots, writeRoots }: PluginPermission,
  command?: { program: string; decision: PlannedCapability['decision'] },
): PlannedCapability[] {
  return plugin.capabilities.flatMap((capability): PlannedCapability[] => {
    if (denied[capability] !== undefined) return [{ capability, decision: 'deny' }];
    if (capability === 'exec' && command !== undefined) {
      const { program: detail, decision } = command;
      return [{ capability, detail, decision }];
    }
    if (asked.includes(capability)) return [{ capability, decision: 'ask' }];
    if (capability !== 'fs' && capability !== 'fs-write') {
      return [{ capability, decision: 'allow' }];
    }
    return (capability === 'fs' ? roots : writeRoots).map((detail) => ({
      capability,
      detail,
      decision: 'allow',
    }));
  });
}
