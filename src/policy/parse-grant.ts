import { type CapabilityName, capabilityNames, type Grant } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import { wrongOrigin } from '../contracts/origin.ts';
import { quoteValue } from './quote-value.ts';

const forms =
  'a grant is one of fs:ROOT, fs-write:ROOT, exec:PROGRAM, http:ORIGIN, kv, memory, clock, random';

/** What stands behind the colon, for those that have something there. */
const details: Partial<Record<CapabilityName, { what: string; example: string }>> = {
  fs: { what: 'the name of a root', example: 'fs:work' },
  'fs-write': { what: 'the name of a root', example: 'fs-write:work' },
  exec: { what: 'the name of a program', example: 'exec:git' },
  http: { what: 'an origin', example: 'http:https://example.org' },
};

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
  if (name === 'log') throw invalid('log needs no grant: every plugin may write log lines', forms);
  const origin = /^https?:\/\//i.test(text) ? URL.parse(text)?.origin : undefined;
  if (origin !== undefined) {
    const wrong = wrongOrigin(origin) ?? `web requests are granted as http:${origin}`;
    throw invalid(`${quoteValue(text)} is no grant: ${wrong}`, forms);
  }
  const capability = capabilityNames.find((known) => known === name);
  if (!capability) throw invalid(`${quoteValue(text)} is no grant`, forms);
  const form = details[capability];
  if (!form) {
    if (detail === undefined) return { capability };
    throw invalid(`${quoteValue(text)} is no grant: ${capability} stands alone`, forms);
  }
  if (detail === undefined || detail === '') {
    throw invalid(
      `${quoteValue(text)} is no grant: ${capability} needs ${form.what}, as in ${form.example}`,
      forms,
    );
  }
  const wrong = wrongDetail(capability, detail);
  if (wrong) throw invalid(`${quoteValue(text)} is no grant: ${wrong}`, forms);
  return { capability, detail };
}

/** The grant as `parseGrant` reads it. */
export function formatGrant({ capability, detail }: Grant): string {
  return detail === undefined ? capability : `${capability}:${detail}`;
}

/** Whether a grant could name this: what guests ask for is not always well-formed. */
export function isGrantDetail(capability: CapabilityName, detail: string | undefined): boolean {
  if (!details[capability]) return detail === undefined;
  return detail !== undefined && wrongDetail(capability, detail) === undefined;
}

function wrongDetail(capability: CapabilityName, detail: string): string | undefined {
  if (capability === 'exec') {
    return /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,127}$/.test(detail)
      ? undefined
      : 'a program is named without folders and arguments, as in exec:git';
  }
  if (capability === 'http') return wrongOrigin(detail);
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(detail) && detail.length <= 64
    ? undefined
    : 'a root is named in small letters, digits and single hyphens, as in fs:work';
}

function invalid(message: string, hint: string): KernelError {
  return new KernelError('invalid-argument', message, { hint });
}
