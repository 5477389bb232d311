import * as host from 'cuervo:host/http@0.1.0';
import { HostError, hostCall } from '../host-error.ts';
import { asBytes, asNumber, asText } from './argument.ts';

export type { Response } from 'cuervo:host/http@0.1.0';

export type Request = {
  /** default `GET` */
  method?: string;
  /** `https:`, or `http:` to an address of this machine */
  url: string;
  /** `{{secret:NAME}}` in a value becomes the secret on its way out */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** of the request with its redirects; absent or 0 leaves it to the host (30 s) */
  timeoutMs?: number;
  /** of the decoded body; absent or 0 leaves it to the host (4 MiB), which also is the most */
  maxResponseBytes?: number;
};

/** Any status is an answer; a redirect to another granted origin comes as it is. */
export function send(request: Request): host.Response {
  const { method = 'GET', url, headers = {}, body, timeoutMs = 0, maxResponseBytes = 0 } = request;
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const wanted: host.Request = {
    method: asText(method, 'http.send: "method"'),
    url: asText(url, 'http.send: "url"'),
    timeoutMs: asNumber(timeoutMs, 'http.send: "timeoutMs"'),
    maxResponseBytes: asNumber(maxResponseBytes, 'http.send: "maxResponseBytes"'),
    headers: Object.entries(headers).map(([name, value]) => [
      asText(name, 'http.send: the name of a header'),
      asText(value, `http.send: the header "${name}"`),
    ]),
    ...(sent == null ? {} : { body: asBytes(sent, 'http.send: "body"') }),
  };
  return hostCall(() => host.send(wanted));
}

/**
 * The text of an answer with a status of 200 to 299.
 *
 * @throws {HostError} `not-found` for 404 and 410, `io` for any other status
 */
export function getText(
  url: string,
  options: Omit<Request, 'url' | 'method' | 'body'> = {},
): string {
  const { status, body } = send({ ...options, url });
  if (status >= 200 && status < 300) return new TextDecoder().decode(body);
  const isGone = status === 404 || status === 410;
  throw new HostError(isGone ? 'not-found' : 'io', `${url} answered with status ${status}`);
}

/** As `getText`, parsed; an answer that is not JSON is an `io` error. */
export function getJson(
  url: string,
  options: Omit<Request, 'url' | 'method' | 'body'> = {},
): unknown {
  const text = getText(url, {
    ...options,
    headers: { accept: 'application/json', ...options.headers },
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new HostError('io', `${url} answered with something that is not JSON`);
  }
}

/** Whether a secret of the name is kept; its value is never seen. */
export function secretExists(name: string): boolean {
  return hostCall(() => host.secretExists(asText(name, 'http.secretExists: "name"')));
}
