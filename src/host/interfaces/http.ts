import type { Authorize, SentContent } from '../../contracts/authority.ts';
import { type HostCaller, type HostService, ServiceError } from '../../contracts/host-service.ts';
import type { Secret, Secrets } from '../../contracts/secrets.ts';
import { sha256 } from '../../lib/sha256.ts';
import { checkHeaders, checkMethod, parseRequestUrl } from '../http/check-request.ts';
import { requestTarget } from '../http/request-target.ts';
import type { ResolveHost } from '../http/resolve-addresses.ts';
import { type HttpRequest, sendRequest } from '../http/send-request.ts';
import { argument, parseArguments } from './parse-arguments.ts';

/** Of a body in each direction; a frame holds it as base64. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Of one request with its redirects; the call's own deadline may come first. */
const maxTimeoutMs = 120_000;
/** Where a guest gives 0. */
const usualTimeoutMs = 30_000;

const maxU32 = 2 ** 32 - 1;

/** HTTP requests, each decided, pinned to addresses that were checked, and bounded. */
export function createHttpServices(ports: {
  authorize: Authorize;
  /** @throws {ServiceError} `denied` where the caller holds no origin at all */
  requireOrigin(caller: HostCaller): Promise<void>;
  secrets: Secrets;
  resolve: ResolveHost;
}): [string, HostService][] {
  const sending = argument.list([
    argument.record({
      method: argument.text(16),
      url: argument.text(8192),
      headers: argument.pairs(64, 8192),
      body: argument.optionalBytes(),
      timeoutMs: argument.count(maxU32),
      maxResponseBytes: argument.count(maxU32),
    }),
  ]);
  const secrets: Secrets = { find: (name) => findSecret(ports.secrets, name) };
  const naming = argument.list([argument.text(64)]);
  return [
    [
      'http.send',
      async (args, caller) => {
        const [asked] = parseArguments('http.send', sending, args);
        const url = parseRequestUrl(asked.url);
        const target = requestTarget(asked.method, url);
        try {
          const body = checkBody(asked.method, asked.body ?? undefined);
          checkMethod(asked.method, body !== undefined);
          const request = {
            url,
            method: asked.method,
            headers: checkHeaders(asked.headers, body?.byteLength ?? 0),
            body,
            timeoutMs: Math.min(asked.timeoutMs || usualTimeoutMs, maxTimeoutMs),
            maxBytes: Math.min(asked.maxResponseBytes || maxBodyBytes, maxBodyBytes),
          };
          const sends = contentOf(request);
          const answer = await sendRequest(request, {
            resolve: ports.resolve,
            secrets,
            authorize: (method, { origin, href }) =>
              ports.authorize({ capability: 'http', origin, method, url: href, sends }, caller),
            signal: caller.signal,
          });
          return { value: answer, target, bytes: answer.body.byteLength };
        } catch (thrown) {
          if (!(thrown instanceof ServiceError)) throw thrown;
          throw new ServiceError(thrown.tag, thrown.message, target, thrown.hint);
        }
      },
    ],
    [
      'http.secret-exists',
      async (args, caller) => {
        const [name] = parseArguments('http.secret-exists', naming, args);
        await ports.requireOrigin(caller);
        return { value: secrets.find(name) !== undefined, target: name };
      },
    ],
  ];
}

/** A file that cannot be read is a sentence for the guest and a command for the person. */
function findSecret(secrets: Secrets, name: string): Secret | undefined {
  try {
    return secrets.find(name);
  } catch {
    throw new ServiceError('io', 'the secrets cannot be read; cuervo secret list says why', name);
  }
}

function checkBody(method: string, body: Uint8Array | undefined): Uint8Array | undefined {
  // Toolchains finish a body of nothing where there is none.
  if (body?.byteLength === 0 && (method === 'GET' || method === 'HEAD')) return undefined;
  if (body === undefined || body.byteLength <= maxBodyBytes) return body;
  throw new ServiceError('limit', `a body of ${body.byteLength} bytes, limit ${maxBodyBytes}`);
}

/** What a person's yes to one request is about, beside its address. */
function contentOf({ headers, body }: Pick<HttpRequest, 'headers' | 'body'>): SentContent {
  const text = JSON.stringify(headers);
  const bytes = Buffer.concat([Buffer.from(`${text}\n`), body ?? Buffer.alloc(0)]);
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return { headerBytes, bodyBytes: body?.byteLength ?? 0, sha256: sha256(bytes) };
}
