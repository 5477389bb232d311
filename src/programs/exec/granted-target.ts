import { ServiceError } from '../../contracts/host-service.ts';
import { wrongOrigin } from '../../contracts/origin.ts';

/**
 * The granted origin that a program wants a connection to.
 *
 * @param authority of a CONNECT, `host:port`
 * @returns its URL; https where the same port is granted as both
 * @throws {ServiceError} `invalid` for what is not an authority, `denied` for what was not granted
 */
export function grantedAuthority(authority: string, origins: readonly string[]): URL {
  const plain = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253}):\d{1,5}$/i.test(authority);
  const urls = plain
    ? ['https', 'http'].map((scheme) => URL.parse(`${scheme}://${authority}`))
    : [];
  const [secure, open] = urls;
  if (!secure || !open)
    throw new ServiceError('invalid', 'a CONNECT request needs a host and a port');
  const granted = [secure, open].find(({ origin }) => origins.includes(origin));
  if (granted === undefined) throw notGranted(secure);
  return granted;
}

/**
 * The URL of a plain request, in the form that is for proxies, or behind a CONNECT in the usual one.
 *
 * @param bound origin that the connection was made for
 * @throws {ServiceError} `invalid`, `denied`
 */
export function grantedUrl(target: string, bound: string | undefined, origins: readonly string[]) {
  if (bound !== undefined && !target.startsWith('/')) {
    throw new ServiceError('invalid', 'after CONNECT, a request needs a path');
  }
  const url = URL.parse(`${bound ?? ''}${target}`);
  if (url === null || url.protocol !== 'http:') {
    throw new ServiceError(
      'invalid',
      'use CONNECT for an https origin; a plain request is refused',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('invalid', 'a URL may not hold a user name or password', url.origin);
  }
  if (!origins.includes(url.origin)) throw notGranted(url);
  url.hash = '';
  return url;
}

/** An origin that no grant can name is not repeated to the person: it may be made up. */
function notGranted({ origin }: URL): ServiceError {
  const known = wrongOrigin(origin) === undefined;
  const shown = known ? origin : 'this origin';
  return new ServiceError(
    'denied',
    `${shown} was not granted to this program`,
    known ? origin : '?',
  );
}
