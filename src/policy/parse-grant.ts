import {
  capabilities,
  type GrantDetail,
  type GrantName,
  grantDetail,
  grantForms,
  isCapability,
  isOwnGrant,
} from '../contracts/capabilities.ts';
import { type Grant, wrongOrigin } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import type { HostCallRow } from '../contracts/store.ts';
import { workRoot } from '../lib/files/paths.ts';
import { wrongSshHost } from '../lib/net/addresses.ts';
import { quoteText } from '../lib/text/escape.ts';

const forms = `a grant is one of ${grantForms().join(', ')}`;

/**
 * A grant as a person types it: `fs:work`, `exec:git`, `http:https://example.org`, `kv`.
 *
 * @throws {KernelError} `invalid-argument` that names the value and lists the forms
 */
export function parseGrant(text: string): Grant {
  const colon = text.indexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  const detail = colon < 0 ? undefined : text.slice(colon + 1);
  if (name === 'network') {
    throw invalid(
      'network cannot be granted: no plugin opens connections of its own',
      'grant single origins instead: http:https://example.org',
    );
  }
  if (isCapability(name) && capabilities[name].grant === 'none') {
    throw invalid(`${name} needs no grant: every plugin may ${capabilities[name].cannot}`, forms);
  }
  const origin = /^https?:\/\//i.test(text) ? URL.parse(text)?.origin : undefined;
  if (origin !== undefined) {
    const wrong = wrongOrigin(origin) ?? `web requests are granted as http:${origin}`;
    throw invalid(`${quoteText(text)} is not a grant: ${wrong}`, forms);
  }
  if (!isCapability(name) && !isOwnGrant(name))
    throw invalid(`${quoteText(text)} is not a grant`, forms);
  const form = grantDetail(name);
  if (!form) {
    if (detail === undefined) return { capability: name };
    throw invalid(`${quoteText(text)} is not a grant: ${name} stands alone`, forms);
  }
  if (detail === undefined || detail === '') {
    throw invalid(
      `${quoteText(text)} is not a grant: ${name} needs ${form.what}, as in ${name}:${form.example}`,
      forms,
    );
  }
  const wrong = wrongDetails[form.placeholder](detail);
  if (wrong) throw invalid(`${quoteText(text)} is not a grant: ${wrong}`, forms);
  return { capability: name, detail };
}

/** The grant as `parseGrant` reads it. */
export function formatGrant({ capability, detail }: Grant): string {
  return detail === undefined ? capability : `${capability}:${detail}`;
}

/** Whether a grant could name this: what guests ask for is not always well-formed. */
export function isGrantDetail(capability: GrantName, detail: string | undefined): boolean {
  const form = grantDetail(capability);
  if (form === undefined) return detail === undefined;
  return detail !== undefined && wrongDetails[form.placeholder](detail) === undefined;
}

/** The fault of the text after the colon; undefined where it is right. */
const wrongDetails: Readonly<
  Record<GrantDetail['placeholder'], (detail: string) => string | undefined>
> = {
  ROOT: (detail) =>
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(detail) && detail.length <= 64
      ? undefined
      : 'a root is named in small letters, digits and single hyphens, as in fs:work',
  PROGRAM: (detail) =>
    programDetail.test(detail)
      ? undefined
      : 'a program is named without folders and arguments, as in exec:git, or is a file of the workspace, as in exec:./gradlew',
  ORIGIN: wrongOrigin,
  'HOST[:PORT]': wrongSshHost,
  'DRIVER@SHA256': (detail) =>
    /^[^\s@=\p{C}]{1,128}@[0-9a-f]{64}$/u.test(detail)
      ? undefined
      : 'a filter is named with the digest of its commands, as the refusal of git says it',
  GLOB: (detail) =>
    /^(?:\*|[a-z][a-z0-9-]{0,63}\.(?:\*|[A-Za-z0-9_-]{1,64}))$/.test(detail)
      ? undefined
      : 'tools are named as one tool, all of a plugin, or all: tools:file.read, tools:file.*, tools:*',
  TOOL: (detail) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(detail)
      ? undefined
      : 'a tool of a server is named without the server, as in call:read_file',
  FOLDER: (detail) =>
    /^\/[^\p{C}]{0,4096}$/u.test(detail)
      ? undefined
      : 'a repository is named by its absolute path, as in repository:/home/ann/app/.git',
};

/**
 * A name, or a path below the workspace; after `@` the digest of a program that is not the
 * system's.
 */
const programDetail =
  /^(?:[A-Za-z0-9_][A-Za-z0-9._+-]{0,127}|\.(?:\/(?!\.{1,2}(?:[/@]|$))[A-Za-z0-9._+-]{1,128}){1,32})(?:@[0-9a-f]{64})?$/;

function invalid(message: string, hint: string): KernelError {
  return new KernelError('invalid-argument', message, { hint });
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Ten years; a longer grant should have no end. */
const maxMs = 3650 * 86_400_000;

/**
 * How long a grant holds, as a person types it: `90s`, `30m`, `2h`, `7d`, `2w`.
 *
 * @returns milliseconds, from one second to 3650 days
 * @throws {KernelError} `invalid-argument`
 */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,9})([smhdw])$/.exec(text) ?? [];
  const durationMs = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (durationMs <= maxMs) return durationMs;
  const wrong = Number.isNaN(durationMs)
    ? 'is not a duration: a whole number and one of s, m, h, d, w'
    : 'is longer than 3650 days';
  throw new KernelError('invalid-argument', `${quoteText(text)} ${wrong}`, {
    hint: 'For two hours: --for 2h; for a week: --for 7d; without --for it has no end.',
  });
}

/** Whether the root that a grant names exists; true for a grant without a root. */
export function hasItsRoot({ capability, detail }: Grant): boolean {
  return grantDetail(capability)?.placeholder !== 'ROOT' || detail === workRoot;
}

/**
 * Refuses a grant of a root that does not exist: it would give nothing, and is mostly a typing
 * error.
 *
 * @throws {KernelError} `invalid-argument`
 */
export function refuseUnknownRoots(grants: readonly Grant[]): void {
  const stray = grants.find((grant) => !hasItsRoot(grant));
  if (stray === undefined) return;
  const message = `${formatGrant(stray)}: there is no root "${stray.detail}"; there is ${workRoot}`;
  throw new KernelError('invalid-argument', message, {
    hint: `Grant the workspace with ${stray.capability}:${workRoot}.`,
  });
}

/** The host calls that needed one grant. */
export type NeededGrant = { grant: string; calls: number; denied: number };

/**
 * The least grants that would have let these calls succeed, as `grants.toml` can say them.
 *
 * @returns by grant, sorted; calls that need none, or that failed for another reason, are left out
 */
export function neededGrants(
  calls: readonly Pick<HostCallRow, 'call' | 'target' | 'outcome' | 'times'>[],
): NeededGrant[] {
  const needed = new Map<string, NeededGrant>();
  for (const { call, target, outcome, times = 1 } of calls) {
    const isDenied = outcome === 'denied';
    if (outcome !== 'ok' && !isDenied) continue;
    const grant = grantFor(call.split('.')[0] ?? '', target);
    if (grant === undefined) continue;
    const text = formatGrant(grant);
    const found = needed.get(text) ?? { grant: text, calls: 0, denied: 0 };
    found.calls += times;
    if (isDenied) found.denied += times;
    needed.set(text, found);
  }
  return [...needed.values()].toSorted((one, other) => (one.grant < other.grant ? -1 : 1));
}

function grantFor(capability: string, target: string): Grant | undefined {
  if (!isCapability(capability)) return undefined;
  const details: Readonly<Record<string, string | undefined>> = {
    fs: rootOf(target),
    'fs-write': rootOf(target),
    exec: /^'?([^\s']+)/.exec(target)?.[1],
    http: originOf(target),
  };
  const detail = details[capability];
  try {
    return parseGrant(detail === undefined ? capability : `${capability}:${detail}`);
  } catch {
    // A call without a grant, or with too few facts in the journal.
    return undefined;
  }
}

/** A path without a root lies in the workspace. */
function rootOf(target: string): string {
  return /^([a-z][a-z0-9-]*):/.exec(target)?.[1] ?? workRoot;
}

/** `GET https://example.org/path` -> `https://example.org` */
function originOf(target: string): string | undefined {
  return URL.parse(target.split(' ').at(-1) ?? '')?.origin;
}
