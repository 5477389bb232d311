import { effectUses } from '../contracts/capability.ts';
import type { PlannedCapability, Step } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';

/** What the kernel knows of the authority of a plugin for one of its steps. */
export type CapabilityOf = (plugin: string, step: PlannedStep) => readonly PlannedCapability[];

type PlannedStep = Pick<Step, 'tool' | 'input'>;

/**
 * The union of the capabilities that the tools of a plan can use, by the effect that they promise;
 * a denial stands out.
 */
export function plannedCapabilities(
  steps: readonly PlannedStep[],
  tools: readonly Tool[],
  capabilitiesOf: CapabilityOf,
): PlannedCapability[] {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const union = new Map<string, PlannedCapability>();
  for (const step of steps) {
    const tool = known.get(step.tool);
    if (tool === undefined) continue;
    const { plugin, effect } = tool;
    for (const capability of capabilitiesOf(plugin, step)) {
      if (!effectUses(effect, capability.capability)) continue;
      const key = `${capability.capability}:${capability.detail ?? ''}:${capability.decision}`;
      union.set(key, capability);
    }
  }
  return [...union.values()];
}
