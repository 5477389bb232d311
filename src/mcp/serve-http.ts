import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { KernelError } from '../contracts/error.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { sha256 } from '../lib/sha256.ts';
import { createServer } from './create-server.ts';
import type { Serving } from './serving.ts';

const host = '127.0.0.1';
/** For the headers of a request, and for all of it. */
const headersMs = 10_000;
const requestMs = 30_000;
/** How often a request that takes too long is looked for. */
const checkMs = 2_000;
const maxBodyBytes = 4 * 1024 ** 2;

/**
 * Serves clients on this machine that send the token. A page in a browser is refused by its origin,
 * a name that was pointed at this machine by its host.
 *
 * @param port 0 for any that is free
 * @throws {KernelError} `conflict` where the port is taken
 */
export async function serveHttp(
  serving: Serving,
  options: { port: number; token: string; version: string; onError(error: Error): void },
): Promise<AsyncDisposable & { url: string }> {
  const { port, token, version, onError } = options;
  const handler = createMcpHandler(() => createServer(serving, version), {
    onerror: onError,
    maxRequestBodySize: maxBodyBytes,
  });
  const convert = toNodeHandler(handler, { onerror: onError, maxRequestBodySize: maxBodyBytes });
  const handle: RequestListener = (request, response) => {
    // A request that a server got has a method and a URL.
    convert(request as Parameters<typeof convert>[0], response).catch(onError);
  };
  const isHost = localhostHostValidation();
  const isOrigin = localhostOriginValidation();
  const server = createHttpServer({
    ...{ headersTimeout: headersMs, requestTimeout: requestMs },
    connectionsCheckingInterval: checkMs,
  });
  server.on('request', (request, response) => {
    if (!isHost(request, response) || !isOrigin(request, response)) return;
    if (isToken(request.headers.authorization, token)) {
      handle(request, response);
      return;
    }
    response.writeHead(401, { 'www-authenticate': 'Bearer', 'content-type': 'text/plain' });
    response.end('This server needs its token: Authorization: Bearer TOKEN\n');
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise.catch((thrown: NodeJS.ErrnoException) => {
    throw notListening(thrown, port);
  });
  server.on('error', onError);
  const address = server.address();
  const used = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host}:${used}/mcp`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((end) => server.close(() => end()));
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Of digests, which are of one length whatever was sent. */
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => Buffer.from(sha256(Buffer.from(text)));
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

function notListening(thrown: NodeJS.ErrnoException, port: number): KernelError {
  const { code = thrown.message } = thrown;
  const why = code === 'EADDRINUSE' ? 'another program has it' : code;
  return new KernelError('conflict', `port ${port} of ${host} cannot be used: ${why}`, {
    cause: thrown,
    hint: 'Name another one, or 0 for any that is free: cuervo mcp serve --http 0',
  });
}

const tokenBytes = 32;

/** Where the token of `mcp serve --http` is. */
export const httpTokenFile = (home: string): string => join(home, 'mcp-token');

/**
 * The token of this home, made by its first use; only its user can read the file.
 *
 * @throws {KernelError} `invalid-argument` for a file that holds none
 */
export function httpToken(home: string): string {
  const file = httpTokenFile(home);
  const known = readTextIfPresent(file)?.trim();
  if (known === undefined) {
    const token = randomBytes(tokenBytes).toString('base64url');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  }
  if (/^[\w-]{32,}$/.test(known)) return known;
  throw new KernelError('invalid-argument', `${file} holds no token`, {
    hint: 'Remove it; the next start makes a new one.',
  });
}
