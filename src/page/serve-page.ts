import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exitCodes, KernelError } from '../contracts/error.ts';
import { sha256 } from '../lib/sha256.ts';
import { type PageFiles, pageHtml } from './page-files.ts';
import type { PageViews } from './views.ts';

const host = '127.0.0.1';
const headersMs = 10_000;
const maxConnections = 64;
const maxUrlLength = 4_096;
const defaultRuns = 100;
const maxRuns = 1_000;

/** The browser sends them itself; no form and no other page can. */
const onceHeader = 'x-cuervo-once';
const tokenHeader = 'x-cuervo-token';

/** For every answer. Even a text that became markup by a mistake could neither run nor send. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export type ServedPage = AsyncDisposable & {
  /** an address that opens the page once */
  address(): string;
};

/**
 * Serves the page on this machine. An address is good for one browser tab: what stands in its
 * fragment is exchanged for a token that the tab alone knows, and is void from then on. A page of
 * somebody else is refused by its origin, a name that was pointed at this machine by its host.
 *
 * @param options.port 0 for any that is free
 * @param options.onOpened called each time an address was used
 * @throws {KernelError} `conflict` where the port cannot be used
 */
export async function servePage(
  views: PageViews,
  options: { port: number; files: PageFiles; onOpened(): void; onError(error: Error): void },
): Promise<ServedPage> {
  const { files, onOpened, onError } = options;
  const token = newToken();
  let once = newToken();

  const open = (request: IncomingMessage): unknown => {
    if (!isSame(request.headers[onceHeader], once)) {
      throw new KernelError('permission-denied', 'this address was used before', {
        hint: 'Take the newest address that cuervo ui printed.',
      });
    }
    once = newToken();
    onOpened();
    return { token };
  };

  const answer = async (request: IncomingMessage, url: URL): Promise<unknown> => {
    if (request.method === 'POST' && url.pathname === '/api/open') return open(request);
    if (request.method !== 'GET') throw nothingAt(url, 'this page only reads');
    if (!isSame(request.headers[tokenHeader], token)) {
      throw new KernelError('permission-denied', 'cuervo ui was started anew since', {
        hint: 'Open the address that it printed.',
      });
    }
    return await viewAt(views, url);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { port } = request.socket.address() as { port: number };
    const wrong = strangeRequest(request, port);
    if (wrong !== undefined) return send(response, 403, 'text/plain', `${wrong}\n`);
    const url = URL.parse(request.url ?? '/', `http://${host}:${port}`);
    if (url === null) return send(response, 400, 'text/plain', 'this is no address\n');
    const file = fileAt(files, url.pathname);
    if (file !== undefined && request.method === 'GET')
      return send(response, 200, file.type, file.text);
    try {
      const body = JSON.stringify(await answer(request, url));
      send(response, 200, 'application/json', body);
    } catch (thrown) {
      const { code, message, hint = '' } = KernelError.from(thrown, 'internal');
      send(response, statusOf(code), 'application/json', JSON.stringify({ code, message, hint }));
    }
  };

  const server = createServer({ headersTimeout: headersMs, requestTimeout: headersMs });
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    // Nothing that is sent has a body that is read.
    request.resume();
    serve(request, response).catch(onError);
  });
  const used = await listen(server, options.port);
  server.on('error', onError);
  return {
    address: () => `http://${host}:${used}/#${once}`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((end) => server.close(() => end()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const newToken = (): string => randomBytes(32).toString('base64url');

/** Of digests, which are of one length whatever was sent. */
function isSame(sent: string | string[] | undefined, known: string): boolean {
  const digest = (text: string) => Buffer.from(sha256(Buffer.from(text)));
  return timingSafeEqual(digest(String(sent ?? '')), digest(known));
}

/** Why a request does not come from the page itself. */
function strangeRequest(request: IncomingMessage, port: number): string | undefined {
  const names = [`${host}:${port}`, `localhost:${port}`];
  const { host: named = '', origin, 'sec-fetch-site': site } = request.headers;
  if (!names.includes(named)) return `this server is ${names[0]}`;
  const isOrigin = origin === undefined || names.some((name) => origin === `http://${name}`);
  // What opens the page in a browser comes from elsewhere; the page without its token says nothing.
  const isOpened = request.url === '/' && request.headers['sec-fetch-dest'] === 'document';
  const isSite = site === undefined || site === 'same-origin' || site === 'none' || isOpened;
  if (!isOrigin || !isSite) return 'another page may not ask this one';
  return (request.url ?? '').length > maxUrlLength ? 'the address is too long' : undefined;
}

function fileAt(files: PageFiles, path: string): { type: string; text: string } | undefined {
  if (path === '/') return { type: 'text/html; charset=utf-8', text: pageHtml() };
  if (path === '/page.js') return { type: 'text/javascript; charset=utf-8', text: files.script };
  return path === '/page.css' ? { type: 'text/css; charset=utf-8', text: files.style } : undefined;
}

async function viewAt(views: PageViews, { pathname, searchParams }: URL): Promise<unknown> {
  const value = (name: string): string => searchParams.get(name) ?? '';
  const limit = Math.min(Number(value('limit')) || defaultRuns, maxRuns);
  if (pathname === '/api/overview') return await views.overview();
  if (pathname === '/api/runs') return await views.runs(Math.max(1, Math.floor(limit)));
  if (pathname === '/api/run') return await views.run(value('id'));
  if (pathname === '/api/memory')
    return await views.memory({ text: value('text'), layer: value('layer') });
  if (pathname === '/api/plugins') return await views.plugins();
  if (pathname === '/api/jobs') return await views.jobs();
  if (pathname === '/api/cost') return await views.cost();
  throw nothingAt({ pathname }, 'the page has no such view');
}

function nothingAt({ pathname }: { pathname: string }, why: string): KernelError {
  return new KernelError('not-found', `${pathname}: ${why}`, { hint: 'Go to the list of runs.' });
}

function statusOf(code: KernelError['code']): number {
  if (code === 'permission-denied') return 401;
  if (code === 'not-found') return 404;
  return exitCodes[code] === exitCodes['invalid-argument'] ? 400 : 500;
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...headers, 'content-type': type });
  response.end(text);
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise.catch((thrown: NodeJS.ErrnoException) => {
    const { code = thrown.message } = thrown;
    const why = code === 'EADDRINUSE' ? 'another program has it' : code;
    throw new KernelError('conflict', `port ${port} of ${host} cannot be used: ${why}`, {
      cause: thrown,
      hint: 'Leave it out for any that is free: cuervo ui',
    });
  });
  server.off('error', reject);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
