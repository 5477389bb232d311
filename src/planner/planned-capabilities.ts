import { effectUses } from '../contracts/effect-allows.ts';
import type { PlannedCapability, Step } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';

/** What the kernel knows of a plugin's authority, for a plan. */
export type CapabilityOf = (plugin: string) => readonly PlannedCapability[];

/**
 * The union of the capabilities that the tools of a plan can use, by the effect that they promise;
 * a denial stands out.
 */
export function plannedCapabilities(
  steps: readonly Pick<Step, 'tool'>[],
  tools: readonly Tool[],
  capabilitiesOf: CapabilityOf,
): PlannedCapability[] {
  const called = new Set(steps.map((step) => step.tool));
  const union = new Map<string, PlannedCapability>();
  for (const { plugin, effect } of tools.filter(({ name }) => called.has(name))) {
    for (const capability of capabilitiesOf(plugin)) {
      if (!effectUses(effect, capability.capability)) continue;
      const key = `${capability.capability}:${capability.detail ?? ''}:${capability.decision}`;
      union.set(key, capability);
    }
  }
  return [...union.values()];
}
