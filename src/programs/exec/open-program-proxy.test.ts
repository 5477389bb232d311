import http, { type IncomingMessage } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../tests/fixtures/tls/make-certificate.ts';
import { type Served, serve } from '../../../tests/fixtures/tls/serve.ts';
import { holdPort } from '../../../tests/support/hold-port.ts';
import type { HostCall } from '../../contracts/tool.ts';
import { openProgramProxy } from './open-program-proxy.ts';

const certificate = makeCertificate(['127.0.0.1', 'other.test']);
let plain: Served;
let secure: Served;
beforeAll(async () => {
  plain = await serve((request, response) => {
    request.resume().once('end', () => response.end(`plain ${request.headers.host}`));
  });
  secure = await serve(
    (request, response) => response.end(`tls ${request.headers.host}`),
    certificate,
  );
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
});

const plainOrigin = () => `http://127.0.0.1:${plain.port}`;
const secureOrigin = () => `https://127.0.0.1:${secure.port}`;

type Options = { origins?: string[]; resolve?: (host: string) => Promise<string[]> };

async function open({ origins = [plainOrigin(), secureOrigin()], resolve }: Options = {}) {
  const notes: HostCall[] = [];
  const proxy = await openProgramProxy({
    origins,
    resolve: resolve ?? (async () => []),
    note: (call) => notes.push(call),
  });
  const rows = () => notes.map(({ target, outcome }) => `${outcome} ${target}`);
  return { notes, rows, proxy, [Symbol.dispose]: () => proxy[Symbol.dispose]() };
}

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** A request in the form for proxies. */
async function ask(socketPath: string, path: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    http.get({ socketPath, path, headers }, resolve).once('error', reject);
  });
  return { status: response.statusCode, text: await textOf(response) };
}

/** What a CONNECT is answered, and the connection when it stands. */
async function tunnel(socketPath: string, authority: string) {
  return await new Promise<{ status: number; socket: Socket }>((resolve, reject) => {
    const request = http.request({ socketPath, method: 'CONNECT', path: authority });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      resolve({ status: statusCode, socket: socket as Socket });
    });
    request.once('error', reject).end();
  });
}

async function askTls(socket: Socket, servername?: string): Promise<string> {
  const tls = await new Promise<TLSSocket>((resolve, reject) => {
    const options = { socket, ca: certificate.cert, rejectUnauthorized: false };
    const opened = connectTls({ ...options, ...(servername ? { servername } : {}) });
    opened.once('secureConnect', () => resolve(opened)).once('error', reject);
  });
  tls.write('GET / HTTP/1.1\r\nHost: inner.test\r\nConnection: close\r\n\r\n');
  return await textOf(tls);
}

describe('openProgramProxy()', () => {
  it('lets TLS through to an origin that was granted, and notes it', async () => {
    using opened = await open();
    const { status, socket } = await tunnel(opened.proxy.socket, `127.0.0.1:${secure.port}`);
    expect(status).toBe(200);
    expect(await askTls(socket)).toContain('tls inner.test');
    await expect.poll(opened.rows).toEqual([`ok ${secureOrigin()}`]);
    expect(opened.notes[0]?.bytes).toBeGreaterThan(100);
  });

  it('passes plain requests on, made anew for the host of their URL', async () => {
    using opened = await open();
    const url = `${plainOrigin()}/a?private=1`;
    const answer = await ask(opened.proxy.socket, url, { host: 'evil.test', connection: 'x-hop' });
    expect(answer).toEqual({ status: 200, text: `plain 127.0.0.1:${plain.port}` });
    await expect.poll(opened.rows).toEqual([`ok GET ${plainOrigin()}/a?…`]);
  });

  it('reads what comes behind a CONNECT to a plain origin, and passes on requests alone', async () => {
    using opened = await open();
    const { status, socket } = await tunnel(opened.proxy.socket, `127.0.0.1:${plain.port}`);
    expect(status).toBe(200);
    socket.write('GET /b HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n');
    expect(await textOf(socket)).toContain(`plain 127.0.0.1:${plain.port}`);
    const other = await tunnel(opened.proxy.socket, `127.0.0.1:${plain.port}`);
    other.socket.write('PING\r\n\r\n');
    expect(await textOf(other.socket)).toMatch(/^HTTP\/1\.1 400/);
    const away = await tunnel(opened.proxy.socket, `127.0.0.1:${plain.port}`);
    away.socket.write(`GET ${secureOrigin()}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await textOf(away.socket)).toMatch(/^HTTP\/1\.1 400[\s\S]+after CONNECT/);
    expect(opened.rows().filter((row) => row.startsWith('ok'))).toEqual([
      `ok GET ${plainOrigin()}/b`,
    ]);
  });

  it.each([
    ['another port', () => '127.0.0.1:1'],
    ['another address', () => `127.0.0.2:${secure.port}`],
    ['a name for the same', () => `localhost:${secure.port}`],
    ['a name', () => 'example.org:443'],
  ])('refuses a CONNECT to %s', async (_, authority) => {
    using opened = await open();
    const { connections } = secure;
    const { status, socket } = await tunnel(opened.proxy.socket, authority());
    expect(status).toBe(403);
    socket.destroy();
    expect(opened.notes).toMatchObject([{ call: 'exec.connect', outcome: 'denied' }]);
    expect(secure.connections).toBe(connections);
  });

  it.each([
    '',
    'example.org',
    'a b:443',
    'user@127.0.0.1:443',
    '127.0.0.1:99999',
    'https://127.0.0.1:443',
    '127.0.0.1:443/path',
  ])('refuses a CONNECT to %j', async (authority) => {
    using opened = await open();
    const socket = connectTcp(opened.proxy.socket);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 400/);
  });

  it('refuses plain requests to what was not granted, or to https', async () => {
    using opened = await open();
    for (const [path, status] of [
      ['http://127.0.0.1:1/', 403],
      [`http://127.0.0.2:${plain.port}/`, 403],
      [`http://localhost:${plain.port}/`, 403],
      [`http://user:word@127.0.0.1:${plain.port}/`, 400],
      [`${secureOrigin()}/`, 400],
      ['/path', 400],
    ] as const) {
      expect((await ask(opened.proxy.socket, path)).status, path).toBe(status);
    }
    expect(opened.rows().some((row) => row.startsWith('ok'))).toBe(false);
  });

  it('takes no greeting that names another server, and nothing but a greeting', async () => {
    using opened = await open();
    const connect = async () =>
      (await tunnel(opened.proxy.socket, `127.0.0.1:${secure.port}`)).socket;
    const asked = secure.asked.length;
    await expect(askTls(await connect(), 'other.test')).rejects.toThrow();
    const plainText = await connect();
    plainText.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await textOf(plainText)).toMatch(/^HTTP\/1\.1 400/);
    expect(secure.asked.length).toBe(asked);
    expect(opened.rows()).toEqual([`denied ${secureOrigin()}`, `invalid ${secureOrigin()}`]);
  });

  it('connects to no private address of a name, and looks it up once', async () => {
    const lookups: string[] = [];
    using opened = await open({
      origins: [`https://name.test:${secure.port}`],
      resolve: async (host) => {
        lookups.push(host);
        return ['127.0.0.1'];
      },
    });
    const { connections } = secure;
    const { status, socket } = await tunnel(opened.proxy.socket, `name.test:${secure.port}`);
    socket.destroy();
    expect(status).toBe(403);
    expect(lookups).toEqual(['name.test']);
    expect(secure.connections).toBe(connections);
    expect(opened.rows()).toEqual([`denied https://name.test:${secure.port}`]);
  });

  it('reports a missing server, and notes it', async () => {
    using closed = await holdPort();
    const { port } = closed;
    using opened = await open({
      origins: [`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}`],
    });
    expect((await tunnel(opened.proxy.socket, `127.0.0.1:${port}`)).status).toBe(502);
    expect((await ask(opened.proxy.socket, `http://127.0.0.1:${port}/`)).status).toBe(502);
    expect(opened.rows()).toEqual([
      `io https://127.0.0.1:${port}`,
      `io GET http://127.0.0.1:${port}/`,
    ]);
  });

  it('keeps no more connections open than it may, and takes new ones when they are gone', async () => {
    using opened = await open();
    const sockets = Array.from({ length: 140 }, () =>
      connectTcp(opened.proxy.socket).on('error', () => {}),
    );
    const closed = () => sockets.filter((socket) => socket.destroyed).length;
    for (const socket of sockets) socket.resume();
    await expect.poll(closed, { timeout: 10_000 }).toBe(12);
    for (const socket of sockets) socket.destroy();
    const again = async () => (await ask(opened.proxy.socket, `${plainOrigin()}/`)).status;
    await expect.poll(() => again().catch(() => 0)).toBe(200);
  });

  it('ends every connection with itself, and notes those that were open', async () => {
    const opened = await open();
    const { socket } = await tunnel(opened.proxy.socket, `127.0.0.1:${secure.port}`);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    opened[Symbol.dispose]();
    socket.resume();
    await closed;
    expect(opened.rows()).toEqual([`ok ${secureOrigin()}`]);
    await expect(ask(opened.proxy.socket, plainOrigin())).rejects.toThrow(/ENOENT/);
  });
});
