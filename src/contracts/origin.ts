import { isThisMachine } from '../lib/net/addresses.ts';

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
