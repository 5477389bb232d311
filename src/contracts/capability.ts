import { isThisMachine } from '../lib/net/addresses.ts';
import {
  type CapabilityName,
  capabilityNames,
  capabilityRow,
  type GrantName,
} from './capabilities.ts';
import { type Effect, effects, type JsonObject } from './tool.ts';

/** What a plugin asks for in its manifest, in its author's words. */
export type Want = { capability: CapabilityName; why: string };

/**
 * A tool as a manifest tells it, of a binary that has no `describe()`: a program, or exported
 * functions, whose names it has.
 */
export type ManifestTool = {
  name: string;
  /** absent for a function: its own words, from its WIT or its types */
  description?: string;
  /** absent for a function: what the binary imports */
  effect?: Effect;
  /** JSON Schema of the input of a program; the types of a function say it themselves */
  input?: JsonObject;
  output?: JsonObject;
  examples?: readonly JsonObject[];
};

/** Section `cuervo:plugin` of a binary, written by `cuervo plugin build`. */
export type Manifest = {
  name: string;
  version: string;
  description: string;
  licence?: string;
  homepage?: string;
  wants: readonly Want[];
  limits?: ManifestLimits;
  /** absent where the binary has `describe()`, or where its exports say enough */
  tools?: readonly ManifestTool[];
};

/** Limits that a plugin asks to have higher; the person's configuration bounds them. */
export type ManifestLimits = {
  hostCalls?: number;
};

/**
 * One grant of a person: `fs:work`, `exec:git`, `http:https://example.org`, `kv`.
 * `detail` is the root, program, origin or host, absent where the capability has none.
 */
export type Grant = {
  capability: GrantName;
  detail?: string;
  /** of kept `tools`, which cover what was installed by then; ms since the epoch */
  grantedMs?: number;
};

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

/** Whether `file.read`, `file.*` or `*` names a tool. */
export function matchesTool(glob: string | undefined, tool: string | undefined): boolean {
  if (glob === undefined || tool === undefined) return false;
  if (glob.endsWith('*')) return tool.startsWith(glob.slice(0, -1));
  return tool === glob;
}

/**
 * The fault of an origin that a person grants or a plugin asks for; undefined when it is right. A
 * right one is written exactly as `URL.origin` prints it (small letters, punycode, no default port,
 * addresses in one form), so that strings can be compared later.
 */
export function wrongOrigin(text: string): string | undefined {
  // Written as a grant; this is the part behind the colon.
  const rest = /^http:(https?:\/\/.*)$/.exec(text)?.[1];
  if (rest !== undefined) {
    return wrongOrigin(rest) ?? `leave out the "http:" of the grant: ${rest}`;
  }
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return 'an origin is a scheme and a host, as in https://example.org';
  }
  // Hosts of URLs may hold `*`, `$`, `;` and brackets; names that resolve, and a shell, do not.
  if (!/^([a-z0-9_]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/.test(url.hostname)) {
    return 'name a host in full, without wildcards and without a dot at its end';
  }
  if (/(^|\.)localhost$/.test(url.hostname)) {
    return 'name this machine by its address, as in http://127.0.0.1:8080';
  }
  if (url.origin !== text) return `write the origin as ${url.origin}`;
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    return 'plain http is for this machine only; use https';
  }
  return undefined;
}
