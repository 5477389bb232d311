import { wrongOrigin } from '../contracts/capability.ts';
import { ServiceError } from '../contracts/host-service.ts';

/** The journal's form of a request, without its query, which may be private. */
export function requestTarget(method: string, { origin, pathname, search }: URL): string {
  return `${method} ${origin}${pathname}${search === '' ? '' : '?…'}`;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Headers that are the host's own: those of the connection, of the body's length and form, of
 * proxies and cookies, and those with which a request says that it is another one.
 */
const withheld: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['content-length', 'expect', 'http2-settings', 'cookie', 'cookie2'],
  ...['set-cookie', 'via', 'forwarded', 'x-http-method', 'x-http-method-override'],
  ...['x-method-override', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
]);

/** Characters of names and values together, before secrets are inserted. */
const maxHeaderLength = 16 * 1024;

/** @throws {ServiceError} `invalid` */
export function checkMethod(method: string, hasBody: boolean): void {
  if (!methods.includes(method)) {
    throw new ServiceError('invalid', `the method is one of ${methods.join(', ')}`);
  }
  if (hasBody && (method === 'GET' || method === 'HEAD')) {
    throw new ServiceError('invalid', `a ${method} request must not have a body`);
  }
}

/**
 * A URL of a guest or of a redirect, without its fragment.
 *
 * @param base of a relative URL
 * @throws {ServiceError} `invalid` for text that is not a plain URL, `denied` for an origin that
 *   cannot be granted
 */
export function parseRequestUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new ServiceError('invalid', 'the URL cannot be read');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ServiceError('invalid', 'a URL begins with https://');
  }
  if (url.username !== '' || url.password !== '') {
    const text = 'a URL must not hold a user name or password; put a secret into a header';
    throw new ServiceError('invalid', text, url.origin);
  }
  if (/\{\{secret:|%7B%7Bsecret:/i.test(url.href)) {
    const text = 'a secret may stand only in the value of a header';
    throw new ServiceError('invalid', text, url.origin);
  }
  const wrong = wrongOrigin(url.origin);
  if (wrong !== undefined) throw new ServiceError('denied', `${url.origin}: ${wrong}`, url.origin);
  url.hash = '';
  return url;
}

/**
 * The headers with their names in small letters, each name once.
 *
 * @param bodyBytes a `content-length` may say it, and nothing else
 * @throws {ServiceError} `invalid`, naming the header; `limit`
 */
export function checkHeaders(
  headers: readonly (readonly [string, string])[],
  bodyBytes: number,
): [string, string][] {
  const checked = new Map<string, string>();
  let length = 0;
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/.test(name)) {
      throw new ServiceError('invalid', 'the name of a header is not a token');
    }
    if (!/^[\t\x20-\x7e]*$/.test(value)) {
      const text = `the value of the header ${name} holds more than printable ASCII`;
      throw new ServiceError('invalid', text);
    }
    // Headers that toolchains set by themselves and the host sets anew.
    if (name === 'accept-encoding') continue;
    if (name === 'content-length' && value === String(bodyBytes)) continue;
    if (withheld.has(name) || name.startsWith('proxy-') || name.startsWith('sec-')) {
      throw new ServiceError('invalid', `the header ${name} is not for plugins to set`);
    }
    length += name.length + value.length;
    if (length > maxHeaderLength) {
      throw new ServiceError('limit', `headers of ${length} bytes, limit ${maxHeaderLength}`);
    }
    const before = checked.get(name);
    checked.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`);
  }
  return [...checked];
}
