import type { IncomingMessage, RequestOptions } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk/model-fault.ts';
import { nodeHttp, nodeHttps } from '../../lib/net/node-http.ts';

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
/** What a `Response` can have. */
const lastStatus = 599;

/**
 * A `fetch` for the requests of the SDKs, which gives up when no connection is there in time: the
 * name looked up, connected, and the certificate seen. It waits for an answer as long as its caller
 * does; the one of the platform gives up one that begins after five minutes, which a model on this
 * machine may take. No redirect is followed. Nothing packed is asked for; what a proxy packs all the
 * same is unpacked.
 *
 * @param options.connectMs for each request; one that goes over an open connection has it at once
 */
export function connectingFetch({ connectMs }: { connectMs: number }): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const body = textOf(init.body);
    const headers = Object.fromEntries(new Headers(init.headers));
    const options: RequestOptions = {
      method: init.method ?? 'GET',
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(init.signal ? { signal: init.signal } : {}),
    };
    return toResponse(await answerOf(url, options, body, connectMs), url);
  };
}

function textOf(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  throw new TypeError('only text is sent to a model');
}

async function answerOf(
  url: URL,
  options: RequestOptions,
  body: string | undefined,
  connectMs: number,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  const sent = request(url, options, resolve).on('error', reject);
  const timer = setTimeout(() => sent.destroy(unconnected(url, connectMs)), connectMs);
  sent.once('socket', (socket) => {
    const isThere = (): void => clearTimeout(timer);
    // One that is kept open for further requests is there already.
    if (sent.reusedSocket) isThere();
    else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', isThere);
  });
  sent.end(body);
  return await promise.finally(() => clearTimeout(timer));
}

function toResponse(answer: IncomingMessage, url: URL): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  if (status > lastStatus) {
    answer.destroy();
    throw oddStatus(url, status);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = bodiless.has(status);
  if (isEmpty) answer.resume();
  const packed = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const body = isEmpty
    ? null
    : (Readable.toWeb(unpacked(answer, packed)) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

function unpacked(answer: IncomingMessage, packed: string): Readable {
  if (packed === '' || packed === 'identity') return answer;
  const unpack = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
    zstd: createZstdDecompress,
  }[packed];
  if (unpack === undefined) return answer;
  // Who reads the other end is told what breaks.
  return pipeline(answer, unpack(), () => {});
}

function unconnected(url: URL, connectMs: number): KernelError {
  return modelError(
    { kind: 'unreachable' },
    // One of the SDKs makes an error of its own of any whose message has the word "timeout".
    `${url.origin} accepted no connection within ${connectMs / 1_000} s`,
    'check the address and that the server runs (models.connect-timeout-ms is how long it is waited for), or run without a model: --model none',
  );
}

function oddStatus(url: URL, status: number): KernelError {
  return modelError(
    { kind: 'refused' },
    `${url.origin} answered with status ${status}, which no server of models does`,
    'check the address, or run without a model: --model none',
  );
}
