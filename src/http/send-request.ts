import { isIP } from 'node:net';
import { ServiceError } from '../contracts/host-service.ts';
import type { Secrets } from '../contracts/secrets.ts';
import { isRedirect } from '../lib/net/node-http.ts';
import { onAbort } from '../lib/signals.ts';
import { parseRequestUrl } from './check-request.ts';
import { hideEcho, insertSecrets } from './insert-secrets.ts';
import { type ResolveHost, resolveAddresses } from './resolve-addresses.ts';
import { type Answer, type Phases, sendOnce } from './send-once.ts';

export type HttpRequest = {
  url: URL;
  method: string;
  /** checked, with placeholders */
  headers: readonly (readonly [string, string])[];
  body: Uint8Array | undefined;
  maxBytes: number;
  timeoutMs: number;
  phases?: Phases;
};

export type HttpPorts = {
  resolve: ResolveHost;
  secrets: Secrets;
  /** asked before the first request and before every further one; throws where it may not be */
  authorize(method: string, url: URL): Promise<unknown>;
  /** ends with the tool call */
  signal: AbortSignal;
};

const maxRedirects = 5;

type Hop = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body' | 'phases'>;

/**
 * The answer to a request. Redirects within its origin are followed. A redirect to another origin
 * is returned to a guest that may ask that origin.
 *
 * @throws {ServiceError} the guest's error
 */
export async function sendRequest(request: HttpRequest, ports: HttpPorts): Promise<Answer> {
  const { origin } = request.url;
  // A person may be asked here; the waiting time counts for no limit.
  await ports.authorize(request.method, request.url);
  const late = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([ports.signal, late]);
  try {
    let hop: Hop = request;
    for (let count = 0; ; count += 1) {
      if (count > maxRedirects) {
        throw new ServiceError('limit', `more than ${maxRedirects} redirects`, origin);
      }
      const answer = await sendHop(hop, request.maxBytes, { ...ports, signal });
      const location = answer.headers.find(([name]) => name === 'location')?.[1];
      if (!isRedirect(answer.status) || location === undefined) return answer;
      const next = hopAfter(hop, answer.status, redirectTo(location, hop.url));
      await ports.authorize(next.method, next.url);
      if (next.url.origin !== origin) return answer;
      hop = next;
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    const text = late.aborted ? `no answer within ${request.timeoutMs} ms` : 'the call was ended';
    throw new ServiceError('timeout', `${origin}: ${text}`, origin);
  }
}

async function sendHop(hop: Hop, maxBytes: number, ports: HttpPorts): Promise<Answer> {
  const { url, method, body, phases } = hop;
  const { headers, sent } = insertSecrets(hop.headers, {
    secrets: ports.secrets,
    origin: url.origin,
  });
  const addresses = await unlessAborted(resolveAddresses(url, ports.resolve), ports.signal);
  const answer = await sendOnce({
    ...{ url, method, headers, body, addresses, maxBytes, phases },
    signal: ports.signal,
  });
  if (sent.length === 0) return answer;
  const hidden = (text: string): string =>
    hideEcho(Buffer.from(text, 'latin1'), sent, maxBytes).toString('latin1');
  return {
    status: answer.status,
    headers: answer.headers.map(([name, value]) => [hidden(name), hidden(value)]),
    ...(answer.trailers === undefined
      ? {}
      : { trailers: answer.trailers.map(([name, value]) => [hidden(name), hidden(value)]) }),
    body: hideEcho(answer.body, sent, maxBytes),
  };
}

/** The guest learns a server's redirect only if it leads to a name of the open internet. */
function redirectTo(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url?.origin === from.origin) return parseRequestUrl(url.href);
  try {
    const other = parseRequestUrl(location, from);
    if (!isIP(other.hostname.replace(/[[\]]/g, ''))) return other;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
  }
  const text = `${from.origin} answered with a redirect that no plugin may follow`;
  throw new ServiceError('denied', text, from.origin);
}

/** As browsers do: the body is sent again only if the status asks for it. */
function hopAfter(hop: Hop, status: number, url: URL): Hop {
  const { method } = hop;
  const asGet =
    (status === 303 && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  if (!asGet) return { ...hop, url };
  const headers = hop.headers.filter(([name]) => !name.startsWith('content-'));
  return { ...hop, url, method: 'GET', headers, body: undefined };
}

/** The system's resolver cannot be stopped; what it finds too late is dropped. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let forget = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, reject);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}
