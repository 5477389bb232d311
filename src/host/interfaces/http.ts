import type { Authorize, SentContent } from '../../contracts/consent.ts';
import { type HostCaller, type HostServices, ServiceError } from '../../contracts/host-service.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import {
  checkHeaders,
  checkMethod,
  parseRequestUrl,
  requestTarget,
} from '../../http/check-request.ts';
import { sealedError, secretNames } from '../../http/insert-secrets.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { type HttpRequest, sendRequest } from '../../http/send-request.ts';
import { sha256 } from '../../lib/sha256.ts';
import { argument, parseArguments } from './parse-arguments.ts';

/** Bytes of a body in each direction; a frame holds it as base64. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Time of one request with its redirects; the call's own deadline may come first. */
const maxTimeoutMs = 120_000;
/** For a guest that gives 0. */
const usualTimeoutMs = 30_000;

const maxU32 = 2 ** 32 - 1;

/** HTTP requests, each decided, pinned to addresses that were checked, and bounded. */
export function createHttpServices(ports: {
  authorize: Authorize;
  /** @throws {ServiceError} `denied` where the caller holds no origin at all */
  requireOrigin(caller: HostCaller): Promise<void>;
  secrets: Secrets;
  resolve: ResolveHost;
}): HostServices<'http'> {
  const sending = argument.list([
    argument.record({
      method: argument.text(16),
      url: argument.text(8192),
      headers: argument.pairs(64, 8192),
      body: argument.optionalBytes(),
      timeoutMs: argument.count(maxU32),
      maxResponseBytes: argument.count(maxU32),
      phases: argument.optional(
        argument.record({
          connectMs: argument.count(maxU32),
          firstByteMs: argument.count(maxU32),
          betweenBytesMs: argument.count(maxU32),
        }),
      ),
    }),
  ]);
  const naming = argument.list([argument.text(64)]);
  return {
    'http.send': async (args, caller) => {
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
          ...(asked.phases ? { phases: asked.phases } : {}),
        };
        const sends = contentOf(request);
        const answer = await sendRequest(request, {
          resolve: ports.resolve,
          secrets: ports.secrets,
          authorize: async (method, { origin, href }) => {
            await ports.authorize({ capability: 'http', origin, method, url: href, sends }, caller);
            await unlockSecrets(ports.secrets, request.headers, caller);
          },
          signal: caller.signal,
        });
        return { value: answer, target, bytes: answer.body.byteLength };
      } catch (thrown) {
        if (!(thrown instanceof ServiceError)) throw thrown;
        throw new ServiceError(thrown.tag, thrown.message, target, thrown.hint);
      }
    },
    'http.secret-exists': async (args, caller) => {
      const [name] = parseArguments('http.secret-exists', naming, args);
      await ports.requireOrigin(caller);
      return { value: isKept(name, ports.secrets), target: name };
    },
  };
}

/** Asked only after a yes to the request: other plugins never cause a question for a passphrase. */
async function unlockSecrets(
  secrets: Secrets,
  headers: HttpRequest['headers'],
  caller: HostCaller,
): Promise<void> {
  const work = (): Promise<void> => secrets.unlock(caller.signal);
  try {
    if (!secretNames(headers).some((name) => secrets.has(name))) return;
    await (caller.whileWaiting === undefined ? work() : caller.whileWaiting(work));
  } catch (thrown) {
    throw sealedError(thrown);
  }
}

function isKept(name: string, secrets: Secrets): boolean {
  try {
    return secrets.has(name);
  } catch (thrown) {
    throw sealedError(thrown);
  }
}

function checkBody(method: string, body: Uint8Array | undefined): Uint8Array | undefined {
  // Toolchains finish an empty body too.
  if (body?.byteLength === 0 && (method === 'GET' || method === 'HEAD')) return undefined;
  if (body === undefined || body.byteLength <= maxBodyBytes) return body;
  throw new ServiceError('limit', `a body of ${body.byteLength} bytes, limit ${maxBodyBytes}`);
}

/** The content that a person agrees to, beside the address. */
function contentOf({ headers, body }: Pick<HttpRequest, 'headers' | 'body'>): SentContent {
  const text = JSON.stringify(headers);
  const bytes = Buffer.concat([Buffer.from(`${text}\n`), body ?? Buffer.alloc(0)]);
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return { headerBytes, bodyBytes: body?.byteLength ?? 0, sha256: sha256(bytes) };
}
