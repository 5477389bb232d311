import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { wrongOrigin } from '../../contracts/capability.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { HostCall } from '../../contracts/tool.ts';
import { requestTarget } from '../../http/check-request.ts';
import { type ResolveHost, resolveAddresses } from '../../http/resolve-addresses.ts';
import { nodeHttp } from '../../lib/net/node-http.ts';
import type { ProgramSandbox } from './find-sandbox.ts';
import { grantedAuthority, grantedUrl } from './granted-target.ts';
import type { LaunchPlan } from './plan-launch.ts';
import { connectPinned, passRequest, readGreeting } from './proxy-traffic.ts';
import type { ProgramRun } from './run-launch.ts';

export type ProxyPorts = {
  /** the only ones that are reached, as `URL.origin` writes them */
  origins: readonly string[];
  resolve: ResolveHost;
  /** called for each connection and each plain request when it is over, refused ones too */
  note(call: HostCall): void;
};

export type ProgramProxy = Disposable & {
  /** absolute path of its socket */
  socket: string;
};

/** Connections and plain requests of one program; each is a row of the journal. */
const maxConnections = 1000;
/** At once: more are closed as they come, so that no program uses up the descriptors of cuervo. */
const maxOpen = 128;
/** Bytes of a socket's path on Linux, with the NUL at its end: unix(7). */
const maxSocketPath = 107;

/**
 * Lets one program talk to origins and to nothing else: TLS to an https origin, whose server the
 * greeting has to name, and plain requests to an http origin, which are made anew. A name is
 * looked up by us, each time, checked as for `http.send`, and connected to where it was found.
 * The caller disposes it when the program has ended, which ends every connection.
 */
export async function openProgramProxy(ports: ProxyPorts): Promise<ProgramProxy> {
  const { origins, resolve } = ports;
  const ended = new AbortController();
  const open = new Set<{ destroy(): unknown }>();
  const boundTo = new WeakMap<object, string>();
  const entries = new Set<Entry>();
  let count = 0;

  const keep = <Closing extends Duplex>(stream: Closing): Closing => {
    open.add(stream);
    return stream.once('close', () => open.delete(stream)).on('error', () => {});
  };
  const begin = (target: string): Entry => {
    count += 1;
    const entry = createEntry(target, (call) => {
      entries.delete(entry);
      // One row reports further ones.
      if (count <= maxConnections + 1) ports.note(call);
    });
    entries.add(entry);
    return entry;
  };
  const refuseMany = (): void => {
    if (count <= maxConnections) return;
    throw new ServiceError('limit', `more than ${maxConnections} connections of one program`);
  };

  const tunnel = async (asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    const entry = begin('?');
    keep(client);
    try {
      refuseMany();
      const url = grantedAuthority(asked.url ?? '', origins);
      entry.target = url.origin;
      if (url.protocol === 'http:') {
        // Read like any other plain request; each of them has a row of its own.
        entry.forget();
        entries.delete(entry);
        boundTo.set(client, url.origin);
        client.write(established);
        if (head.byteLength > 0) client.unshift(head);
        server.emit('connection', client);
        return;
      }
      const addresses = await resolveAddresses(url, resolve);
      ended.signal.throwIfAborted();
      const upstream = await connectPinned(url, addresses, (socket) => {
        keep(socket);
        client.once('close', () => socket.destroy());
      });
      entry.bytes = () => upstream.bytesRead;
      upstream.once('close', () => {
        client.destroy();
        entry.end('ok');
      });
      client.write(established);
      upstream.write(await readGreeting(client, head, url));
      upstream.pipe(client);
      client.pipe(upstream);
    } catch (thrown) {
      const error = refusalOf(thrown);
      entry.fail(error);
      if (!client.destroyed) client.end(refusalText(error));
    }
  };

  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const entry = begin('?');
    answer.on('error', () => {});
    try {
      refuseMany();
      const url = grantedUrl(asked.url ?? '', boundTo.get(asked.socket), origins);
      entry.target = requestTarget(asked.method ?? 'GET', url);
      const addresses = await resolveAddresses(url, resolve);
      const bytes = await passRequest(asked, answer, { url, addresses, signal: ended.signal });
      entry.bytes = () => bytes;
      entry.end('ok');
    } catch (thrown) {
      const error = refusalOf(thrown);
      entry.fail(error);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(statuses[error.tag] ?? 502, refusalHeaders).end(`${error.message}\n`);
    }
  };

  const server = nodeHttp().createServer((asked, answer) => void pass(asked, answer));
  server.on('connect', (asked, client, head) => void tunnel(asked, client, head));
  server.on('connection', keep);
  server.maxConnections = maxOpen;
  const { socket, folder } = await listen(server);
  return {
    socket,
    [Symbol.dispose]: () => {
      ended.abort();
      server.close();
      for (const entry of [...entries]) entry.end('ok');
      for (const each of [...open]) each.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Entry = {
  target: string;
  bytes(): number;
  end(outcome: HostCall['outcome']): void;
  fail(error: ServiceError): void;
  forget(): void;
};

function createEntry(target: string, note: (call: HostCall) => void): Entry {
  const startedMs = performance.now();
  let isOver = false;
  const entry: Entry = {
    target,
    bytes: () => 0,
    end: (outcome) => {
      if (isOver) return;
      isOver = true;
      const durationMs = performance.now() - startedMs;
      note({
        call: 'exec.connect',
        target: entry.target,
        outcome,
        durationMs,
        bytes: entry.bytes(),
      });
    },
    fail: ({ tag, target }) => {
      if (entry.target === '?' && target !== '') entry.target = target;
      entry.end(tag);
    },
    forget: () => {
      isOver = true;
    },
  };
  return entry;
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n';
const statuses: Readonly<Record<string, number>> = {
  denied: 403,
  invalid: 400,
  limit: 429,
  timeout: 504,
  io: 502,
};
const refusalHeaders = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };

function refusalText({ tag, message }: ServiceError): string {
  const body = `${message}\n`;
  return [
    `HTTP/1.1 ${statuses[tag] ?? 502} Refused`,
    `content-type: ${refusalHeaders['content-type']}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

function refusalOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError('io', 'the connection could not be made');
}

/** A socket in a folder that only this user may enter. */
async function listen(server: Server): Promise<{ socket: string; folder: string }> {
  const near = join(tmpdir(), 'cuervo-net-');
  const folder = mkdtempSync(near.length > maxSocketPath - 20 ? '/tmp/cuervo-net-' : near);
  const socket = join(folder, 'proxy');
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(socket, resolve);
    });
    return { socket, folder };
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
}

type NetworkUser = Pick<ProgramRun, 'program' | 'origins' | 'readOnly'> & {
  caller: Pick<ProgramRun['caller'], 'plugin' | 'note'>;
  /** how a person lets it reach an origin; a grant of the plugin where absent */
  lets?: (origin: string) => string;
};
type Ports = { resolve: ResolveHost; warn(text: string): void };

export type ProgramNetwork = Disposable & {
  network: NonNullable<LaunchPlan['network']>;
  hasRefused(): boolean;
};

/** Origins that a person reads about after one program. */
const maxToldRefusals = 3;

/**
 * The network of a program: a proxy to the origins that were granted, which also knows what it
 * refused. Without an origin it refuses everything, so that a program learns at once what it would
 * else wait for. The caller disposes it.
 *
 * @returns undefined for a program that is known to need no network
 */
export async function openProgramNetwork(
  run: NetworkUser,
  tier: ProgramSandbox,
  ports: Ports,
): Promise<ProgramNetwork | undefined> {
  const { origins, caller } = run;
  if (run.readOnly || tier.tier !== 'bubblewrap') return undefined;
  const { forwarder } = tier;
  if (forwarder === undefined && origins.length === 0) return undefined;
  if (forwarder === undefined) {
    const text = `program "${run.program}" has no network, because socat is not installed`;
    ports.warn(`${text}: ${tier.forwarderFix}`);
    return undefined;
  }
  const refused = new Set<string>();
  const proxy = await openProgramProxy({
    origins,
    resolve: ports.resolve,
    note: (call) => {
      caller.note?.(call);
      if (call.outcome === 'denied') refused.add(call.target);
    },
  });
  return {
    network: { socket: proxy.socket, forwarder, origins },
    hasRefused: () => refused.size > 0,
    [Symbol.dispose]: () => {
      proxy[Symbol.dispose]();
      for (const origin of [...refused].slice(0, maxToldRefusals)) tellRefusal(run, origin, ports);
    },
  };
}

/** How programs say that a name was not found, or that there is no network. */
const noNetwork =
  /\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH)\b|could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|no such host/i;

/**
 * Tells a person of a program that went past the proxy and found no network, which is the sandbox's
 * doing: by what it printed, since nothing of ours saw it. No name is taken from that, for it may be
 * the words of a file.
 */
export function tellUnreached(
  { program, caller, origins, readOnly }: NetworkUser,
  { exitCode, stderr }: { exitCode?: number; stderr: string },
  { warn }: Ports,
): void {
  if (exitCode === 0 || readOnly || !noNetwork.test(stderr)) return;
  const held = origins.length === 0 ? '' : ` but ${origins.join(', ')}`;
  const said = `program "${program}" has no network${held}`;
  warn(`${said}; cuervo plugin grant ${caller.plugin} http:https://HOST lets it`);
}

/** The program's output is its own affair; the person learns how to grant the origin. */
function tellRefusal(
  { program, caller, origins, lets }: NetworkUser,
  origin: string,
  { warn }: Ports,
): void {
  if (wrongOrigin(origin) !== undefined || origins.includes(origin)) return;
  const how = lets?.(origin) ?? `cuervo plugin grant ${caller.plugin} http:${origin} lets it`;
  warn(`program "${program}" was kept from ${origin}; ${how}`);
}
