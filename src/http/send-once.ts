import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../contracts/host-service.ts';
import { decoderOf, isRedirect, isUntrusted, nodeHttp, nodeHttps } from '../lib/net/node-http.ts';
import type { PinnedAddress } from './resolve-addresses.ts';

export type Exchange = {
  url: URL;
  method: string;
  /** names in small letters, secrets inserted */
  headers: readonly (readonly [string, string])[];
  body: Uint8Array | undefined;
  /** the only ones that are connected to */
  addresses: readonly PinnedAddress[];
  /** of the answer's body, decoded */
  maxBytes: number;
  signal: AbortSignal;
  phases?: Phases | undefined;
};

/** The longest that each part of an exchange may take. */
export type Phases = { connectMs: number; firstByteMs: number; betweenBytesMs: number };

export type Answer = {
  status: number;
  headers: [string, string][];
  body: Buffer;
  /** behind the body, where there are any */
  trailers?: [string, string][];
};

const maxAnswerHeaderBytes = 32 * 1024;

/** Headers of the connection, which do not concern the guest; cookies would be state. */
const dropped: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['content-length', 'content-encoding', 'set-cookie', 'set-cookie2'],
  ...['proxy-authenticate', 'proxy-authentication-info', 'proxy-connection', 'alt-svc'],
]);

/**
 * One request and its answer, over a connection of its own. No redirect is followed, no proxy
 * asked, no connection kept, and what `NODE_OPTIONS` or the environment say of certificates and
 * proxies does not count.
 *
 * @throws {ServiceError} `limit` for a long answer, `io` for anything that went wrong on the way;
 *   the reason of `signal` when it fires
 */
export async function sendOnce(exchange: Exchange): Promise<Answer> {
  const { url, signal } = exchange;
  const request = open(exchange);
  watchPhases(request, exchange);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
      // A server that switches to another protocol closes without an answer.
      request.once('close', () => reject(new ServiceError('io', `${url.origin} did not answer`)));
      request.end(exchange.body);
    });
    const status = response.statusCode ?? 0;
    const headers = headersOf(response, exchange.method);
    // The body of a redirect is for people with a browser.
    const body = isRedirect(status) ? Buffer.alloc(0) : await readBody(response, exchange.maxBytes);
    const trailers = pairsOf(response.rawTrailers, dropped);
    return { status, headers, body, ...(trailers.length === 0 ? {} : { trailers }) };
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown instanceof ServiceError ? thrown : failureOf(url, thrown);
  } finally {
    request.destroy();
  }
}

function open({ url, method, headers, addresses, body, signal }: Exchange): ClientRequest {
  const { request, Agent } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  return request(url, {
    method,
    headers: {
      'user-agent': 'cuervo',
      ...Object.fromEntries(headers),
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': body.byteLength }),
    },
    lookup: lookupPinned(addresses),
    agent: new Agent({ keepAlive: false }),
    maxHeaderSize: maxAnswerHeaderBytes,
    insecureHTTPParser: false,
    rejectUnauthorized: true,
    signal,
  });
}

/** Ends a request whose connection, first byte or next byte takes longer than it may. */
function watchPhases(request: ClientRequest, { url, phases }: Exchange): void {
  if (phases === undefined) return;
  const { connectMs, firstByteMs, betweenBytesMs } = phases;
  const late = (what: string, ms: number): ServiceError =>
    new ServiceError('timeout', `${url.origin}: ${what} within ${ms} ms`, url.origin);
  const endAfter = (ms: number, what: string): NodeJS.Timeout =>
    setTimeout(() => request.destroy(late(what, ms)), ms);
  let timer = endAfter(connectMs, 'no connection');
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      clearTimeout(timer);
      timer = endAfter(firstByteMs, 'no answer');
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      const why = late('no further byte', betweenBytesMs);
      socket.setTimeout(betweenBytesMs, () => response.destroy(why));
    });
  });
  request.once('close', () => clearTimeout(timer));
}

/** Answers with the addresses that were checked, whatever the name would lead to by now. */
export function lookupPinned(addresses: readonly PinnedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
}

function headersOf({ rawHeaders }: IncomingMessage, method: string): [string, string][] {
  // Without a body its length is all that there is to know of it.
  const isHead = method === 'HEAD';
  return pairsOf(rawHeaders, isHead ? dropped.difference(new Set(['content-length'])) : dropped);
}

function pairsOf(raw: readonly string[], without: ReadonlySet<string>): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    if (!without.has(name)) pairs.push([name, raw[index + 1] ?? '']);
  }
  return pairs;
}

/** Node's own messages hold addresses; its codes do not. */
function failureOf(url: URL, thrown: unknown): ServiceError {
  const { code = '' } = thrown as { code?: string };
  if (isUntrusted(code)) {
    return new ServiceError('io', `${url.origin} has no trusted certificate: ${code}`);
  }
  const known = /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `: ${code}` : '';
  return new ServiceError('io', `${url.origin} could not be asked${known}`);
}

/**
 * The body as plain bytes, read no further than `maxBytes`, whether they are counted as they come
 * or decoded.
 *
 * @throws {ServiceError} `limit` for a longer one, `io` for an encoding that is not known
 */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = Number(response.headers['content-length']);
  if (announced > maxBytes && !hasNoBody(response)) throw tooLong(maxBytes);
  const chunks: Buffer[] = [];
  await pipeline(
    counted(response, maxBytes),
    ...decodersOf(response),
    async (decoded: AsyncIterable<Buffer>) => {
      for await (const chunk of counted(decoded, maxBytes)) chunks.push(chunk);
    },
  );
  return Buffer.concat(chunks);
}

async function* counted(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong(maxBytes);
    yield chunk;
  }
}

function decodersOf(response: IncomingMessage): NodeJS.ReadWriteStream[] {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isEmpty = response.headers['content-length'] === '0' || hasNoBody(response);
  if (encoding === '' || encoding === 'identity' || isEmpty) return [];
  const decoder = decoderOf(encoding);
  if (decoder !== undefined) return [decoder()];
  throw new ServiceError('io', 'the answer came in an encoding that was not asked for');
}

function hasNoBody({ statusCode, req }: IncomingMessage & { req?: { method: string } }): boolean {
  return req?.method === 'HEAD' || statusCode === 204 || statusCode === 304;
}

function tooLong(maxBytes: number): ServiceError {
  return new ServiceError('limit', `the answer has more than ${maxBytes} bytes`);
}
