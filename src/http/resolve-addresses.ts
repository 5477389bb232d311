import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ServiceError } from '../contracts/host-service.ts';
import { isPublicAddress } from '../lib/net/addresses.ts';

/** All addresses of a name, as the system's resolver tells them. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export type PinnedAddress = { address: string; family: 4 | 6 };

/** Addresses of one name that are tried. */
const maxAddresses = 16;

export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/**
 * The addresses that a request to `url` may be sent to, and no others afterwards. One that is
 * written as an address was granted as that address; a name never leads to a private one, not
 * even when only some of its addresses are.
 *
 * @throws {ServiceError} `denied` for a name with a private address, `io` for one without any
 */
export async function resolveAddresses(
  url: URL,
  resolve: ResolveHost,
): Promise<readonly PinnedAddress[]> {
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return [pinned(literal)];
  const found = await resolve(url.hostname).catch(() => []);
  if (found.length === 0) {
    throw new ServiceError('io', `${url.origin} was not found: its name has no address`);
  }
  if (!found.every(isPublicAddress)) {
    const text = `${url.origin} leads to an address of a private network; grant that address itself`;
    throw new ServiceError('denied', text);
  }
  return found.slice(0, maxAddresses).map(pinned);
}

function pinned(address: string): PinnedAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
