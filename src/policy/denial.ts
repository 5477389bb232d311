import {
  capabilities,
  type GrantName,
  isCapability,
  isOwnGrant,
} from '../contracts/capabilities.ts';
import { matchesTool } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import { quoteText } from '../lib/text/escape.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';

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
