import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../contracts/host-service.ts';
import type { PinnedAddress } from '../../http/resolve-addresses.ts';
import { lookupPinned } from '../../http/send-once.ts';
import { maxHelloBytes, readServerName } from './read-server-name.ts';

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
