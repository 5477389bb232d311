import { capabilityNames, capabilityRow } from './capabilities.ts';
import { type Effect, effects } from './tool.ts';

const rows = capabilityNames.map((name) => [name, capabilityRow(name)] as const);
const callsOfContract = rows.flatMap(([name, { calls }]) => callsOf(name, calls));
const ownCalls = rows.flatMap(([name, row]) => callsOf(name, row.ownCalls ?? {}));

/** The least effect a tool must have promised before a host call may be made for it. */
const leastEffects: ReadonlyMap<string, Effect> = new Map([...callsOfContract, ...ownCalls]);

/** Every host call there is, as `interface.function` of `wit/host/host.wit`. */
export const hostCalls: readonly string[] = callsOfContract.map(([call]) => call);

/**
 * Whether a tool that promised `effect` may make a host call. An unknown call is never allowed.
 *
 * @param call `interface.function` as in WIT, e.g. `fs.read-text`
 */
export function effectAllows(effect: Effect, call: string): boolean {
  const least = leastEffects.get(call);
  return least !== undefined && effects.indexOf(effect) >= effects.indexOf(least);
}

/** The effect that a tool must have promised at least; undefined for an unknown call. */
export function leastEffect(call: string): Effect | undefined {
  return leastEffects.get(call);
}

/** Whether a tool that promised `effect` can make any call of an interface. */
export function effectUses(effect: Effect, capability: string): boolean {
  return hostCalls.some((call) => call.startsWith(`${capability}.`) && effectAllows(effect, call));
}

function callsOf(name: string, calls: Readonly<Record<string, Effect>>): [string, Effect][] {
  return Object.entries(calls).map(([call, effect]) => [`${name}.${call}`, effect]);
}
