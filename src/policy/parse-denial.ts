import { capabilities, isCapability, isOwnGrant } from '../contracts/capabilities.ts';
import { KernelError } from '../contracts/error.ts';
import { quoteValue } from '../lib/text/quote-value.ts';
import type { Denial } from './denial.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';

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
      `${source}: ${quoteValue(text)} under capabilities.deny denies nothing`,
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
