/** In dotted decimals, as no name can be written. */
const loopback4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/**
 * Whether a host of an address is this machine, by how it is written. A name below `.localhost` is
 * not: some resolvers ask the network for it.
 *
 * @param hostname as `URL.hostname` has it, an IPv6 address with or without its brackets
 */
export function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return host === 'localhost' || host === '::1' || loopback4.test(host);
}
