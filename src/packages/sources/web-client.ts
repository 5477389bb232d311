import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { isPublicAddress, isThisMachine } from '../../lib/net/addresses.ts';
import { isRedirect, isUntrusted, nodeHttp, nodeHttps } from '../../lib/net/node-http.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { diskFull, outcomeError } from './web-errors.ts';

/** What npm's configuration says of connections. */
export type WebSettings = {
  httpsProxy?: string;
  httpProxy?: string;
  noProxy: readonly string[];
  /** certificates that are trusted beside those of Node */
  ca?: readonly string[];
  strictSsl: boolean;
  /** ms without a byte */
  idleMs: number;
};

export type WebRequest = {
  url: URL;
  /** for messages: "csv-kit of npm" */
  what: string;
  maxBytes: number;
  signal: AbortSignal;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  body?: Uint8Array;
  accept?: string;
  /** called for every hop, so that no credential follows a redirect to another host */
  headers?(url: URL): Readonly<Record<string, string>>;
  /** statuses that are returned; any other but 200 is an error */
  returns?: readonly number[];
  /** resumes an interrupted try; only for content that is checked afterwards */
  resume?: { folder: string };
  /** takes the body piece by piece, in place of `WebAnswer.body` */
  sink?: BodySink;
  /** ms for one answer, body and all; ten minutes when absent */
  maxMs?: number;
  /** what to do after a 401 or 403 */
  login?: string;
};

/** Takes a body that is too large for memory. */
export type BodySink = {
  /** headers that ask for the missing part; called before each request */
  headers(): Readonly<Record<string, string>>;
  /**
   * @param from first byte of the coming part
   * @throws {KernelError} if the part does not belong to the bytes before it
   */
  begin(from: number, headers: WebHeaders): Promise<void>;
  add(piece: Buffer): Promise<void>;
};

/** By name in lower case; without those that came as a list. */
export type WebHeaders = Readonly<Record<string, string | undefined>>;

export type WebAnswer = {
  status: number;
  headers: WebHeaders;
  body: Buffer;
  /** after redirects */
  url: URL;
  /** headers of the redirects on the way, the first one first */
  passed: readonly WebHeaders[];
};

/**
 * The one way from the kernel to the network for plugins and models: https alone, plain http for this machine
 * alone; no redirect to plain http, to this machine or to a private network; answers bounded in
 * size and time; one error for every outcome.
 */
export type WebClient = { send(request: WebRequest): Promise<WebAnswer> };

/** Errors before the server got the request. */
const neverReached = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED)$/;
const maxRedirects = 5;
const maxHeaderBytes = 32 * 1024;
/** Limit for the whole answer, against a server that sends a byte now and then. */
const totalMs = 600_000;

export function createWebClient(settings: WebSettings): WebClient {
  return { send: (request) => send(request, settings) };
}

async function send(request: WebRequest, settings: WebSettings): Promise<WebAnswer> {
  let { url, method = 'GET', body } = request;
  requireSecure(url, request);
  const passed: WebHeaders[] = [];
  for (let hops = 0; ; hops += 1) {
    const answer = await sendHop({ ...request, method, ...(body && { body }), url }, settings);
    const { status, headers } = answer;
    if (!isRedirect(status) || headers.location === undefined) {
      return { ...answer, passed };
    }
    passed.push(headers);
    if (hops >= maxRedirects) {
      throw fault(request, `more than ${maxRedirects} redirects, the last from ${url.origin}`);
    }
    if (method !== 'GET' && method !== 'HEAD') {
      throw fault(request, `${url.origin} redirects the request`);
    }
    const next = URL.parse(headers.location, url);
    if (next === null)
      throw fault(request, `${url.origin} redirects to something that is not an address`);
    requireRedirect(url, next, request);
    url = next;
    body = undefined;
  }
}

/** Throws for plain http to anything but this machine. */
function requireSecure(url: URL, request: WebRequest): void {
  const isPlainHere = url.protocol === 'http:' && isThisMachine(url.hostname);
  if (url.protocol === 'https:' || isPlainHere) return;
  const shown = escapeLine(url.protocol === 'http:' ? url.origin : url.protocol);
  throw new KernelError(
    'permission-denied',
    `${request.what}: ${shown} is not read: it is not https`,
    {
      hint: 'Plain http is for addresses of this machine alone.',
    },
  );
}

/** An address that is written as one goes past the look-up of names. */
function leadsInside({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isThisMachine(literal)) return true;
  return isIP(literal) !== 0 && !isPublicAddress(literal) && !isPrivateNetwork(literal);
}

/** Another port of this machine may belong to somebody else, like another machine. */
export function requireRedirect(from: URL, to: URL, request: WebRequest): void {
  const isSameHost = from.hostname === to.hostname;
  const how =
    to.protocol === 'http:' && (from.protocol === 'https:' || !isSameHost)
      ? 'plain http'
      : leadsInside(to) && to.origin !== from.origin
        ? 'an address of this machine'
        : undefined;
  if (how === undefined) {
    requireSecure(to, request);
    return;
  }
  throw new KernelError(
    'permission-denied',
    `${request.what}: ${from.origin} redirects to ${how} (${escapeLine(to.origin)}), which is not followed`,
    { hint: 'Nothing was kept. Tell the person who runs that server.' },
  );
}

type Hop = WebRequest & { method: NonNullable<WebRequest['method']> };

async function sendHop(hop: Hop, settings: WebSettings): Promise<Omit<WebAnswer, 'passed'>> {
  const { sink, maxMs = totalMs } = hop;
  const stalled = new AbortController();
  const overall = AbortSignal.timeout(maxMs);
  const signal = AbortSignal.any([hop.signal, stalled.signal, overall]);
  const timer = setTimeout(() => stalled.abort(), settings.idleMs);
  const kept = openKept(hop);
  const ranges = sink === undefined ? kept.headers : sink.headers();
  const outgoing = await open(hop, ranges, signal, settings).catch((thrown: unknown) => {
    clearTimeout(timer);
    throw thrown;
  });
  try {
    const response = await new Promise<IncomingMessage>((done, failed) => {
      outgoing.once('response', done);
      outgoing.once('error', failed);
      outgoing.once('close', () => failed(new Error('it closed the connection')));
      outgoing.end(hop.body);
    });
    const status = response.statusCode ?? 0;
    const { headers } = response;
    const isElsewhere = isRedirect(status);
    const isWanted = status === 200 || status === 206 || (hop.returns ?? []).includes(status);
    if (!isElsewhere && !isWanted) throw outcomeError(status, headers, hop);
    const maxBytes = isElsewhere ? 0 : hop.maxBytes;
    const pieces: Buffer[] = [];
    const start = status === 206 ? kept.begin(headers) : kept.restart();
    if (status === 206 && start === undefined && sink === undefined) {
      throw fault(hop, `${hop.url.origin} gave another part than the one it was asked for`);
    }
    const from = status === 206 ? rangeStart(headers) : 0;
    let bytes = sink === undefined ? (start?.byteLength ?? 0) : from;
    const announced = Number(headers['content-length']);
    if (!isElsewhere && hop.method !== 'HEAD' && bytes + announced > maxBytes)
      throw tooLong(hop, bytes + announced);
    if (!isElsewhere && hop.method !== 'HEAD') {
      if (start !== undefined) pieces.push(start);
      await sink?.begin(from, single(headers));
      for await (const piece of response as AsyncIterable<Buffer>) {
        timer.refresh();
        bytes += piece.byteLength;
        if (bytes > maxBytes) throw tooLong(hop, bytes);
        if (sink !== undefined) {
          await sink.add(piece);
          continue;
        }
        pieces.push(piece);
        if (status === 200 || status === 206) kept.add(piece, headers);
      }
      if (!response.complete) throw new Error('the connection was cut');
    }
    if (status === 200 || status === 206) kept.done();
    return { status, headers: single(headers), body: Buffer.concat(pieces), url: hop.url };
  } catch (thrown) {
    if (thrown instanceof KernelError) {
      if (thrown.code !== 'unavailable') kept.done();
      throw thrown;
    }
    if (hop.signal.aborted) throw KernelError.from(hop.signal.reason, 'canceled');
    throw connectionError(thrown, hop, {
      late: stalled.signal.aborted
        ? `sent nothing for ${settings.idleMs / 1000} s`
        : overall.aborted
          ? `did not send all of it in ${maxMs / 1000} s`
          : undefined,
    });
  } finally {
    clearTimeout(timer);
    outgoing.destroy();
  }
}

async function open(
  { url, method, headers, accept, body }: Hop,
  ranges: Readonly<Record<string, string>>,
  signal: AbortSignal,
  settings: WebSettings,
): Promise<ClientRequest> {
  const { request, Agent } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  const proxy = proxyOf(url, settings);
  const key = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const agent = new Agent({
    keepAlive: false,
    ...(proxy === undefined ? {} : { proxyEnv: { [key]: proxy } }),
    ...(settings.ca === undefined ? {} : { ca: [...(await rootCertificates()), ...settings.ca] }),
  });
  return request(url, {
    method,
    agent,
    signal,
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
    rejectUnauthorized: settings.strictSsl,
    headers: {
      'user-agent': 'cuervo',
      'accept-encoding': 'identity',
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-length': body.byteLength }),
      ...ranges,
      ...headers?.(url),
    },
    // A proxy looks names up itself.
    ...(proxy === undefined ? { lookup: checkedLookup(url) } : {}),
  });
}

async function rootCertificates(): Promise<readonly string[]> {
  return (await import('node:tls')).getCACertificates('default');
}

function proxyOf(url: URL, { httpProxy, httpsProxy, noProxy }: WebSettings): string | undefined {
  const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy;
  if (proxy === undefined || isThisMachine(url.hostname)) return undefined;
  const isExempt = noProxy.some((entry) => {
    const name = entry
      .trim()
      .replace(/^\*?\./, '')
      .toLowerCase();
    return (
      name === '*' || (name !== '' && (url.hostname === name || url.hostname.endsWith(`.${name}`)))
    );
  });
  return isExempt ? undefined : proxy;
}

/**
 * Checks the address that the connection then uses. A name that leads to this machine without
 * saying so is a trick; a private network may be the person's company's.
 */
function checkedLookup(url: URL): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { all: true, order: 'verbatim' }).then(
      (found) => {
        const usable = isThisMachine(hostname)
          ? found
          : found.filter(({ address }) => isPublicAddress(address) || isPrivateNetwork(address));
        if (usable.length === 0) {
          const text = `${url.hostname} leads to an address of this machine`;
          return callback(Object.assign(new Error(text), { code: 'EREBIND' }), '', 0);
        }
        const [first] = usable;
        if (options.all) callback(null, usable);
        else callback(null, first?.address ?? '', first?.family ?? 0);
      },
      (thrown: NodeJS.ErrnoException) => callback(thrown, '', 0),
    );
  };
}

function isPrivateNetwork(address: string): boolean {
  if (isIP(address) === 4)
    return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.)/.test(address);
  return /^f[cd]/i.test(address);
}

/** The first byte of a part; NaN where it does not say. */
function rangeStart(headers: IncomingHttpHeaders): number {
  return Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1]);
}

type Kept = {
  headers: Record<string, string>;
  begin(headers: IncomingHttpHeaders): Buffer | undefined;
  restart(): undefined;
  add(piece: Buffer, headers: IncomingHttpHeaders): void;
  done(): void;
};

/** The part of a body from an interrupted try, with the server's mark of that file. */
function openKept({ url, resume, method }: Hop): Kept {
  if (resume === undefined || method !== 'GET') {
    return {
      headers: {},
      begin: () => undefined,
      restart: () => undefined,
      add: () => {},
      done: () => {},
    };
  }
  const name = createHash('sha256').update(url.href).digest('hex').slice(0, 32);
  const [part, mark] = [join(resume.folder, `${name}.part`), join(resume.folder, `${name}.mark`)];
  const size = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
  const etag = size > 0 ? readOr(mark) : undefined;
  const forget = (): undefined => {
    for (const path of [part, mark]) rmSync(path, { force: true });
  };
  let isMarked = false;
  return {
    headers: etag === undefined ? {} : { range: `bytes=${size}-`, 'if-range': etag },
    begin: (headers) => {
      if (rangeStart(headers) !== size || etag === undefined) return undefined;
      isMarked = true;
      return readFileSync(part);
    },
    restart: forget,
    add: (piece, headers) => {
      // Only a strong ETag shows that the rest belongs to the same file.
      const strong = headers.etag?.startsWith('"') ? headers.etag : undefined;
      if (strong === undefined) return;
      try {
        makeFolder(resume.folder);
        if (!isMarked) writeFileSync(mark, strong, { mode: 0o600 });
        isMarked = true;
        appendFileSync(part, piece, { mode: 0o600 });
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException;
        if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(thrown);
        throw thrown;
      }
    },
    done: forget,
  };
}

function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function tooLong({ what, url, maxBytes }: WebRequest, bytes: number): KernelError {
  const message = `${what}: ${url.origin} sends ${bytes} bytes or more, limit ${maxBytes}`;
  return new KernelError('resource-exhausted', message, { hint: 'None of it was kept.' });
}

function fault({ what }: WebRequest, why: string): KernelError {
  return new KernelError('unavailable', `${what}: ${why}`, { hint: 'None of it was kept.' });
}

function single(headers: IncomingHttpHeaders): WebHeaders {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function connectionError(
  thrown: unknown,
  { what, url }: WebRequest,
  { late }: { late: string | undefined },
): KernelError {
  const { code = '', message = '' } = thrown as { code?: string; message?: string };
  const why =
    late ??
    (isUntrusted(code)
      ? `shows no certificate to be trusted (${code})`
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? `was not found: its name has no address (${code})`
        : code === 'ECONNREFUSED'
          ? 'refuses connections (ECONNREFUSED)'
          : code === 'EREBIND'
            ? 'leads to an address of this machine'
            : code !== ''
              ? `could not be asked (${escapeLine(code)})`
              : escapeLine(message).slice(0, 200));
  const hint =
    code === 'EREBIND'
      ? 'Nothing was asked of it.'
      : `${neverReached.test(code) ? 'Try again later.' : 'Try again: the part that arrived is kept.'} A proxy is taken from HTTPS_PROXY or ~/.npmrc.`;
  const kind = code === 'EREBIND' ? 'permission-denied' : 'unavailable';
  return new KernelError(kind, `${what}: ${url.origin} ${why}`, { cause: thrown, hint });
}
