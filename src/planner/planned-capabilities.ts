import type { PlannedCapability, Step } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';

/** What the kernel knows of a plugin's authority, for a plan. */
export type CapabilityOf = (plugin: string) => readonly PlannedCapability[];

/** The union of the capabilities of the plugins whose tools a plan calls; a denial stands out. */
export function plannedCapabilities(
  steps: readonly Pick<Step, 'tool'>[],
  tools: readonly Tool[],
  capabilitiesOf: CapabilityOf,
): PlannedCapability[] {
  const plugins = new Set(
    steps.map((step) => tools.find((tool) => tool.name === step.tool)?.plugin ?? ''),
  );
  const union = new Map<string, PlannedCapability>();
  for (const plugin of plugins) {
    for (const capability of capabilitiesOf(plugin)) {
      const key = `${capability.capability}:${capability.detail ?? ''}:${capability.decision}`;
      union.set(key, capability);
    }
  }
  return [...union.values()];
}
