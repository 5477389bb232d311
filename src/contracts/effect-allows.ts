import { type Effect, effects } from './tool.ts';

/**
 * The least effect a tool must have promised before a host call may be made for it: the comment of
 * `effect` in `wit/plugin/plugin.wit`, call by call.
 */
const leastEffects: ReadonlyMap<string, Effect> = new Map([
  ...group('pure', 'log', ['write', 'progress']),
  ...group('read', 'fs', [
    'roots',
    'stat',
    'read-text',
    'read-bytes',
    'list-dir',
    'walk',
    'scan',
    'tally',
  ]),
  ...group('read', 'clock', ['now-ms']),
  ...group('read', 'random', ['bytes']),
  ...group('read', 'kv', ['get', 'keys']),
  ...group('read', 'memory', ['search']),
  ...group('write', 'fs-write', ['write-text', 'write-bytes', 'create-dir', 'rename', 'remove']),
  ...group('write', 'kv', ['set', 'delete']),
  ...group('write', 'memory', ['remember']),
  ...group('external', 'exec', ['run']),
  ...group('external', 'http', ['send', 'secret-exists']),
]);

/**
 * Calls that no contract offers: our own code in the process makes them. By this one WASI learns
 * that a file which is opened for writing could not be written.
 */
const ownEffects: ReadonlyMap<string, Effect> = new Map(group('write', 'fs-write', ['may-write']));

/** Every host call there is, as `interface.function` of `wit/host/host.wit`. */
export const hostCalls: readonly string[] = [...leastEffects.keys()];

/**
 * Whether a tool that promised `effect` may make a host call. An unknown call is never allowed.
 *
 * @param call `interface.function` as in WIT, e.g. `fs.read-text`
 */
export function effectAllows(effect: Effect, call: string): boolean {
  const least = leastEffects.get(call) ?? ownEffects.get(call);
  return least !== undefined && effects.indexOf(effect) >= effects.indexOf(least);
}

/** Whether a tool that promised `effect` can make any call of an interface. */
export function effectUses(effect: Effect, capability: string): boolean {
  return hostCalls.some((call) => call.startsWith(`${capability}.`) && effectAllows(effect, call));
}

function group(effect: Effect, of: string, functions: readonly string[]): [string, Effect][] {
  return functions.map((name) => [`${of}.${name}`, effect]);
}
