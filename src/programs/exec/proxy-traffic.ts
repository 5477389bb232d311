import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../contracts/host-service.ts';
import type { PinnedAddress } from '../../http/resolve-addresses.ts';
import { lookupPinned } from '../../http/send-once.ts';
import { nodeHttp } from '../../lib/net/node-http.ts';

/**
 * Bytes that a client sends before its greeting is complete; today's greetings have below 2 KiB.
 */
const maxHelloBytes = 32 * 1024;

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
const hostName = 0;
/** RFC 8446, 5.1: of the content of one record. */
const maxRecordBytes = 16 * 1024;
/** Clients send one or two; so many are there to keep a reader busy. */
const maxRecords = 64;

export type ServerName =
  /** more has to come */
  | { state: 'partial' }
  /** no greeting of TLS, or one that is crooked */
  | { state: 'invalid' }
  /** complete; `name` in small letters, absent when the client names no server */
  | { state: 'whole'; name?: string };

/**
 * Which server the greeting of a TLS client names (RFC 8446, 4.1.2; RFC 6066, 3). Nothing is
 * decrypted: the name stands there in plain. The true name of an encrypted greeting (ECH) is not
 * seen, only the one in front of it.
 *
 * @param bytes all that the client has sent so far
 */
export function readServerName(bytes: Buffer): ServerName {
  const handshake = joinRecords(bytes);
  if (handshake === undefined) return { state: 'invalid' };
  if (handshake.byteLength < 4) return { state: 'partial' };
  if (handshake[0] !== clientHello) return { state: 'invalid' };
  const length = handshake.readUIntBE(1, 3);
  if (length > maxHelloBytes) return { state: 'invalid' };
  if (handshake.byteLength < 4 + length) return { state: 'partial' };
  try {
    const names = namesOf(handshake.subarray(4, 4 + length));
    if (names.length > 1) return { state: 'invalid' };
    return names[0] === undefined ? { state: 'whole' } : { state: 'whole', name: names[0] };
  } catch {
    return { state: 'invalid' };
  }
}

/** The content of the records so far; undefined where they are not handshake. */
function joinRecords(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    if (bytes[at] !== handshakeRecord) return undefined;
    if (at + 1 < bytes.byteLength && bytes[at + 1] !== 3) return undefined;
    if (at + 5 > bytes.byteLength) break;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > maxRecordBytes || parts.length === maxRecords) return undefined;
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    // Other records may follow a complete greeting, as early data do.
    const joined = Buffer.concat(parts);
    if (joined.byteLength >= 4 && joined.byteLength >= 4 + joined.readUIntBE(1, 3)) return joined;
  }
  return Buffer.concat(parts);
}

/** Every host name in every extension that lists them. */
function namesOf(hello: Buffer): string[] {
  const reader = createReader(hello);
  reader.take(2 + 32);
  reader.take(reader.number(1));
  reader.take(reader.number(2));
  reader.take(reader.number(1));
  if (reader.left() === 0) return [];
  const extensions = createReader(reader.take(reader.number(2)));
  const names: string[] = [];
  while (extensions.left() > 0) {
    const type = extensions.number(2);
    const content = extensions.take(extensions.number(2));
    if (type !== serverNameExtension) continue;
    const reader = createReader(content);
    const list = createReader(reader.take(reader.number(2)));
    while (list.left() > 0) {
      const kind = list.number(1);
      const name = list.take(list.number(2));
      if (kind === hostName) names.push(name.toString('latin1').toLowerCase());
    }
  }
  return names;
}

/** Throws where a length leads beyond the end. */
function createReader(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.byteLength) throw new RangeError('beyond the end');
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    take,
    number: (length: number): number => take(length).readUIntBE(0, length),
    left: (): number => bytes.byteLength - at,
  };
}

const connectTimeoutMs = 30_000;
const helloTimeoutMs = 30_000;
/** Pieces in which a greeting may arrive: each is looked at again from the beginning. */
const maxPieces = 200;

/**
 * A connection to addresses that were checked, and to no others.
 *
 * @throws {ServiceError} `io`, `timeout`
 */
export function connectPinned(
  url: URL,
  addresses: readonly PinnedAddress[],
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || 443),
      lookup: lookupPinned(addresses),
      timeout: connectTimeoutMs,
    });
    onSocket(socket);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    const fail = (error: ServiceError): void => {
      socket.destroy();
      reject(error);
    };
    socket.once('timeout', () => fail(new ServiceError('timeout', `${url.origin} did not answer`)));
    socket.once('error', () => fail(new ServiceError('io', `cannot connect to ${url.origin}`)));
    socket.once('close', () => fail(new ServiceError('io', `${url.origin} closed the connection`)));
  });
}

/**
 * The first bytes of a client, once they are a complete TLS greeting for the host of its request. A
 * grant for one name of a server does not open its other names.
 *
 * @returns the bytes, which are still to be passed on
 * @throws {ServiceError} `denied` for another name, or none; `invalid` for bytes that are not TLS
 */
export async function readGreeting(client: Duplex, head: Buffer, url: URL): Promise<Buffer> {
  let bytes = head;
  let pieces = 0;
  let timer: NodeJS.Timeout | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const look = (): void => {
    const read = readServerName(bytes);
    if (read.state === 'whole') {
      if (isNameOf(read.name, url)) resolve(bytes);
      else reject(new ServiceError('denied', wrongName(read.name, url), url.origin));
    } else if (read.state === 'invalid' || bytes.byteLength > maxHelloBytes || pieces > maxPieces) {
      const text = `the data sent to ${url.origin} does not start like TLS`;
      reject(new ServiceError('invalid', text, url.origin));
    }
  };
  const take = (chunk: Buffer): void => {
    pieces += 1;
    bytes = Buffer.concat([bytes, chunk]);
    look();
  };
  const gone = (): void => reject(new ServiceError('io', 'the program closed it', url.origin));
  try {
    client.on('data', take).once('end', gone).once('close', gone);
    timer = setTimeout(gone, helloTimeoutMs);
    look();
    return await promise;
  } finally {
    clearTimeout(timer);
    client.pause();
    client.off('data', take).off('end', gone).off('close', gone);
  }
}

/** An address is not a server name; a client that sends it nevertheless means the same. */
function isNameOf(name: string | undefined, { hostname }: URL): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = /^\[|^\d+(\.\d+){3}$/.test(hostname);
  return name === undefined ? isAddress : name === literal;
}

function wrongName(name: string | undefined, { origin }: URL): string {
  if (name === undefined) return `TLS for ${origin} must name its server, and names none`;
  return `TLS for ${origin} names another server`;
}

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
