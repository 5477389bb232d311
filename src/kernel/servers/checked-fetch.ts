import { ServiceError } from '../../contracts/host-service.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { checkHeaders, checkMethod, parseRequestUrl } from '../../http/check-request.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { sendRequest } from '../../http/send-request.ts';
import type { CheckedFetch } from '../../servers/open-remote.ts';

const maxAnswerBytes = 16 * 1024 * 1024;
const maxRequestMs = 120_000;

/**
 * `fetch` by way of the client that sends the requests of plugins: addresses are checked and pinned,
 * nothing private is reached by a name, and secrets go to their own origins.
 *
 * @param ports.mayReach whether a person agreed to an origin
 */
export function createCheckedFetch(ports: {
  mayReach(origin: string): boolean | Promise<boolean>;
  secrets: Secrets;
  resolve: ResolveHost;
  signal: AbortSignal;
}): CheckedFetch {
  return async (given, init = {}) => {
    const url = parseRequestUrl(String(given));
    const method = (init.method ?? 'GET').toUpperCase();
    const sent = [
      ...new Headers(init.headers as ConstructorParameters<typeof Headers>[0]).entries(),
    ];
    // A stream of notices that never ends: nothing here waits for one.
    if (method === 'GET' && sent.some(([, value]) => value.includes('text/event-stream')))
      return new Response(null, { status: 405 });
    const body = bodyOf(init.body);
    checkMethod(method, body !== undefined);
    const answer = await sendRequest(
      {
        ...{ url, method, body, maxBytes: maxAnswerBytes, timeoutMs: maxRequestMs },
        headers: checkHeaders(sent, body?.byteLength ?? 0),
      },
      {
        resolve: ports.resolve,
        secrets: ports.secrets,
        signal: init.signal == null ? ports.signal : AbortSignal.any([ports.signal, init.signal]),
        authorize: async (_, { origin }) => {
          if (await ports.mayReach(origin)) return;
          throw new ServiceError('denied', `it leads to ${origin}, which nobody agreed to`, origin);
        },
      },
    );
    const { status, headers } = answer;
    const isEmpty = status === 204 || status === 304 || answer.body.byteLength === 0;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status, headers });
  };
}

function bodyOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams)
    return new TextEncoder().encode(String(body));
  if (body instanceof Uint8Array) return body;
  throw new ServiceError('invalid', 'the body of a request is no text');
}
