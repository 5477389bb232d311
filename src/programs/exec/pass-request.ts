import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../contracts/host-service.ts';
import type { PinnedAddress } from '../../http/resolve-addresses.ts';
import { lookupPinned } from '../../http/send-once.ts';
import { nodeHttp } from '../../lib/net/node-http.ts';

/** Headers of one connection, which is not passed on, and the one that is written anew. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['proxy-connection', 'transfer-encoding', 'upgrade', 'expect', 'host', 'http2-settings'],
]);

/**
 * Sends a plain request anew: with the program's method, path, headers and body, and the host of
 * the URL. The program's own `Host` does not count.
 *
 * @param addresses the only ones that are connected to
 * @returns bytes of the answer's body
 * @throws {ServiceError} `io`
 */
export async function passRequest(
  asked: IncomingMessage,
  answer: ServerResponse,
  to: { url: URL; addresses: readonly PinnedAddress[]; signal: AbortSignal },
): Promise<number> {
  const { url, addresses, signal } = to;
  const hasBody =
    asked.headers['content-length'] !== undefined ||
    asked.headers['transfer-encoding'] !== undefined;
  const isChunked = asked.headers['transfer-encoding'] !== undefined;
  const { request: send, Agent } = nodeHttp();
  const request = send({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 80),
    method: asked.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: [
      ...['host', url.host],
      ...passedOn(asked.rawHeaders, asked.headers.connection),
      ...(isChunked ? ['transfer-encoding', 'chunked'] : []),
    ],
    setHost: false,
    lookup: lookupPinned(addresses),
    agent: new Agent({ keepAlive: false }),
    insecureHTTPParser: false,
    signal,
  });
  try {
    const sent = hasBody ? pipeline(asked, request) : Promise.resolve(request.end());
    // Its errors show in the answer.
    sent.catch(() => {});
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
      request.once('close', () => reject(new Error('no answer')));
    });
    answer.writeHead(
      response.statusCode ?? 502,
      passedOn(response.rawHeaders, response.headers.connection),
    );
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.byteLength));
    await pipeline(response, answer);
    return bytes;
  } catch {
    throw new ServiceError('io', `${url.origin} did not answer`, url.origin);
  } finally {
    request.destroy();
  }
}

/** Names and values in turn, without those of the connection and those that it names itself. */
function passedOn(raw: readonly string[], connection: string | undefined): string[] {
  const named = new Set((connection ?? '').toLowerCase().split(/\s*,\s*/));
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as string;
    const lower = name.toLowerCase();
    if (!ofConnection.has(lower) && !named.has(lower)) kept.push(name, raw[index + 1] as string);
  }
  return kept;
}
