import {
  type CapabilityName,
  capabilities,
  capabilityNames,
  capabilityRow,
  type GrantName,
  grantDetail,
  isCapability,
  isOwnGrant,
} from '../contracts/capabilities.ts';
import { type Grant, matchesTool } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import { quoteText } from '../lib/text/escape.ts';
import { formatGrant, isGrantDetail, parseGrant } from './parse-grant.ts';
import { type GrantEntry, isExpired } from './parse-grants-file.ts';
/** Host interfaces that this version serves; the others are denied even when granted. */
export const servedCapabilities: ReadonlySet<CapabilityName> = new Set(capabilityNames);

/** What the shipped configuration grants to the built-in plugins, and to nobody else. */
export const builtinGrants: readonly Grant[] = capabilityNames.flatMap((capability) => {
  const { builtin } = capabilityRow(capability);
  if (builtin === undefined) return [];
  return [builtin === true ? { capability } : { capability, detail: builtin }];
});

export type CapabilityRequest = {
  /** an interface of the host; anything else is denied */
  capability: string;
  /** root, program or origin; absent asks for any at all */
  detail?: string;
  /** of a tool: when its plugin was installed, ms since the epoch; absent where nobody knows */
  installedMs?: number;
};

/** The part of a plugin's manifest on which its authority depends. */
export type RequestingPlugin = {
  plugin: string;
  builtin: boolean;
  /** names of the interfaces that it wants */
  wants: readonly string[];
};

export type PolicyConfig = {
  /** of `config.toml` and `cuervo.toml`; they outweigh every grant */
  denied: readonly Denial[];
  /** for tests; default `servedCapabilities` */
  served?: ReadonlySet<CapabilityName>;
};

export type Decision =
  | { decision: 'allow' }
  | { decision: 'deny' | 'ask'; reason: string; hint: string };

/**
 * The one place that decides about authority: a plugin's wants, intersected with the grants, less
 * the configuration's denials. Without a statement the answer is deny; `ask` is a denial that a
 * person at a terminal may turn round.
 *
 * @param grants those that hold for this plugin's digest now, and those of this run
 */
export function decide(
  request: CapabilityRequest,
  manifest: RequestingPlugin,
  grants: readonly Grant[],
  config: PolicyConfig,
): Decision {
  const { capability } = request;
  if (!isCapability(capability)) {
    const reason = `${quoteText(capability)} is not a capability`;
    return { decision: 'deny', reason, hint: 'cuervo tools lists what can be used' };
  }
  const known = { ...request, capability };
  if (!(config.served ?? servedCapabilities).has(capability)) {
    return {
      decision: 'deny',
      reason: `${capability} is not available in this version`,
      hint: 'cuervo tools lists what can be used',
    };
  }
  if (capabilities[capability].grant === 'none') return { decision: 'allow' };
  if (!manifest.wants.includes(capability)) {
    return {
      decision: 'deny',
      reason: `${manifest.plugin} does not want ${capability}`,
      hint: `cuervo plugin list shows what ${manifest.plugin} wants`,
    };
  }
  const denial = denialOf(known, config.denied);
  if (denial !== undefined) return denied(known, denial);
  const held = heldGrants(manifest, grants).filter((grant) => covers(grant, known));
  if (held.some((grant) => denialOf(grant, config.denied) === undefined)) {
    return { decision: 'allow' };
  }
  const taken = held.map((grant) => denialOf(grant, config.denied)).find(Boolean);
  const otherwise = capabilityRow(capability).asked ? 'ask' : 'deny';
  // The configuration denied the grant that would answer; the person may still be asked.
  if (taken !== undefined) return { ...denied(known, taken), decision: otherwise };
  return {
    decision: otherwise,
    reason: `${manifest.plugin} was not granted ${nameOf(known)}`,
    hint: hintFor(known, manifest.plugin),
  };
}

/** What a plugin holds: its own grants, and those that ship with it when it is built in. */
function heldGrants(
  { builtin }: Pick<RequestingPlugin, 'builtin'>,
  grants: readonly Grant[],
): readonly Grant[] {
  return builtin ? [...builtinGrants, ...grants] : grants;
}

/** Whether a grant answers a request: the same capability, and the same detail where one is asked. */
export function covers(grant: Grant, request: CapabilityRequest): boolean {
  if (grant.capability !== request.capability) return false;
  if (grant.capability === 'tools' && request.detail !== undefined) {
    const { installedMs = Number.POSITIVE_INFINITY } = request;
    const isKnown = grant.grantedMs === undefined || installedMs <= grant.grantedMs;
    return isKnown && matchesTool(grant.detail, request.detail);
  }
  return request.detail === undefined || grant.detail === request.detail;
}

type KnownRequest = CapabilityRequest & { capability: CapabilityName };

function denied(
  request: KnownRequest,
  { text, source }: Denial,
): Exclude<Decision, { decision: 'allow' }> {
  return {
    decision: 'deny',
    reason: `the configuration denies ${nameOf(request)}`,
    hint: `${source} denies ${quoteText(text)} under capabilities.deny; no grant outweighs it`,
  };
}

function nameOf({ capability, detail }: KnownRequest): string {
  return detail === undefined ? capability : `${capability} for ${quoteText(detail)}`;
}

/**
 * The command to type. A person may paste it, and a guest chooses the detail: so only a well-formed
 * grant gets into it.
 */
function hintFor({ capability, detail }: KnownRequest, plugin: string): string {
  const grant = isGrantDetail(capability, detail)
    ? formatGrant(detail === undefined ? { capability } : { capability, detail })
    : `${capability}:${grantDetail(capability)?.placeholder ?? 'NAME'}`;
  const once = `--allow ${grant} grants it for one run`;
  return `cuervo plugin grant ${plugin} ${grant} keeps it, or ${once}`;
}

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

/** One entry of `capabilities.deny`: `exec` takes all of it away, `exec:git` that one program. */
export type Denial = {
  capability: GrantName;
  detail?: string;
  /** as it stands in the file */
  text: string;
  /** the file, for people */
  source: string;
};

/** The first entry that takes this away: the same capability, and the same detail if it has one. */
export function denialOf(
  what: { capability: string; detail?: string },
  denied: readonly Denial[],
): Denial | undefined {
  return denied.find(
    ({ capability, detail }) =>
      capability === what.capability &&
      (detail === undefined ||
        detail === what.detail ||
        (capability === 'tools' && matchesTool(detail, what.detail))),
  );
}

/**
 * An entry of `capabilities.deny`: a grant, or the name of a capability for all of it.
 *
 * @param source the file that says it, for people
 * @throws {KernelError} `invalid-argument` that names the file and the entry
 */
export function parseDenial(text: string, source: string): Denial {
  if (isOwnGrant(text) || (isCapability(text) && capabilities[text].grant !== 'none')) {
    return { capability: text, text, source };
  }
  try {
    const grant = parseGrant(text);
    return { ...grant, text: formatGrant(grant), source };
  } catch (thrown) {
    throw new KernelError(
      'invalid-argument',
      `${source}: ${quoteText(text)} under capabilities.deny denies nothing`,
      {
        cause: thrown,
        hint: 'Deny a capability, as in "exec", or what a grant names, as in "http:https://example.org".',
      },
    );
  }
}

/** Entries of the configuration, each with the file that says it. @throws {KernelError} as `parseDenial` */
export function parseDenials(entries: readonly { text: string; source: string }[]): Denial[] {
  return entries.map(({ text, source }) => parseDenial(text, source));
}
