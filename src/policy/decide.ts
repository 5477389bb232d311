import type { CapabilityName, Grant } from '../contracts/capability.ts';
import { formatGrant, isGrantDetail } from './parse-grant.ts';
import { quoteValue } from './quote-value.ts';

/** Host interfaces that this version serves; the others are denied even when granted. */
export const servedCapabilities: ReadonlySet<CapabilityName> = new Set([
  'fs',
  'clock',
  'log',
  'kv',
  'random',
  'memory',
  'fs-write',
]);

/** What the shipped configuration grants to the built-in plugins, and to nobody else. */
export const builtinGrants: readonly Grant[] = [
  { capability: 'fs', detail: 'work' },
  { capability: 'kv' },
];

/** Effects on the world outside: a person may be asked for these, never for more to read. */
const asked: ReadonlySet<CapabilityName> = new Set(['fs-write', 'exec', 'http']);

export type CapabilityRequest = {
  capability: CapabilityName;
  /** root, program or origin; absent asks for any at all */
  detail?: string;
};

export type Holder = { plugin: string; builtin: boolean };

export type Decision =
  | { decision: 'allow' }
  | { decision: 'deny' | 'ask'; reason: string; hint: string };

/**
 * The one place where a request for authority is answered. Deny is what happens when nobody said
 * anything; `ask` is a denial that a person at a terminal may turn round, and for everyone else it
 * is one.
 *
 * @param grants those that hold for this plugin's digest now, and those of this run
 * @param served other than `servedCapabilities` only where more is served than in this version
 */
export function decide(
  request: CapabilityRequest,
  holder: Holder,
  grants: readonly Grant[],
  served: ReadonlySet<CapabilityName> = servedCapabilities,
): Decision {
  const { capability } = request;
  if (!served.has(capability)) {
    return {
      decision: 'deny',
      reason: `${capability} is not available in this version`,
      hint: 'cuervo tools lists what can be used',
    };
  }
  if (capability === 'log') return { decision: 'allow' };
  const held = holder.builtin ? [...builtinGrants, ...grants] : grants;
  if (held.some((grant) => covers(grant, request))) return { decision: 'allow' };
  return {
    decision: asked.has(capability) ? 'ask' : 'deny',
    reason: `${holder.plugin} was not granted ${nameOf(request)}`,
    hint: hintFor(request, holder),
  };
}

/** Whether a grant answers a request: the same capability, and the same detail where one is asked. */
export function covers(grant: Grant, request: CapabilityRequest): boolean {
  if (grant.capability !== request.capability) return false;
  return request.detail === undefined || grant.detail === request.detail;
}

function nameOf({ capability, detail }: CapabilityRequest): string {
  return detail === undefined ? capability : `${capability} for ${quoteValue(detail)}`;
}

/**
 * The command to type. A person may paste it, and the detail may be a guest's own words: what is
 * no well-formed grant does not get into it.
 */
function hintFor({ capability, detail }: CapabilityRequest, holder: Holder): string {
  const grant = isGrantDetail(capability, detail)
    ? formatGrant(detail === undefined ? { capability } : { capability, detail })
    : `${capability}:${placeholders[capability] ?? 'NAME'}`;
  const once = `--allow ${grant} grants it for one run`;
  return `cuervo plugin grant ${holder.plugin} ${grant} keeps it, or ${once}`;
}

const placeholders: Partial<Record<CapabilityName, string>> = {
  fs: 'ROOT',
  'fs-write': 'ROOT',
  exec: 'PROGRAM',
  http: 'ORIGIN',
};
