import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { type Era, eras } from '../support/mcp-client.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

type HttpServer = AsyncDisposable & { url: URL; token: string };

async function openHttp(place: Place, args: readonly string[] = []): Promise<HttpServer> {
  const child = spawn(
    process.execPath,
    [program, 'mcp', 'serve', '--http', '0', '--tools', 'file.*', ...args],
    { cwd: place.work, env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home } },
  );
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\S+mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(said)));
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: new URL(url),
    token: readFileSync(join(place.home, 'mcp-token'), 'utf8').trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

type Sent = { headers?: Record<string, string>; path?: string; body?: string };

/** `fetch` lets nobody set Host and Origin. */
async function post({ url, token }: HttpServer, sent: Sent = {}) {
  const body = sent.body ?? '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    ...sent.headers,
  };
  return await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const path = sent.path ?? url.pathname;
    const made = request(
      { host: url.hostname, port: url.port, path, method: 'POST', headers },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      },
    );
    made.on('error', reject);
    made.end(body);
  });
}

type Connected = AsyncDisposable & { client: Client };

async function openClient({ url, token }: HttpServer, era: Era = '2026-07-28'): Promise<Connected> {
  const client = new Client(
    { name: 'tests', version: '1' },
    era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** Sends the rest of a request piece by piece. Resolves when the server has enough of it. */
async function openSlow({ url }: HttpServer, first: string, piece: string): Promise<void> {
  const slow = connect(Number(url.port), url.hostname);
  slow.on('error', () => {});
  slow.write(first);
  const drip = setInterval(() => slow.write(piece), 1_000);
  await new Promise((resolve) => slow.once('close', resolve));
  clearInterval(drip);
}

const files = { 'a.txt': 'the heron\n' };

describe('cuervo mcp serve --http', () => {
  it.each(eras)('serves the official client of %s that sends the token', async (era) => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    expect(server.url.hostname).toBe('127.0.0.1');
    expect(statSync(join(place.home, 'mcp-token')).mode & 0o777).toBe(0o600);
    await using connected = await openClient(server, era);
    const { client } = connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { content } = await client.callTool({ name: 'file_read', arguments: { path: 'a.txt' } });
    expect(JSON.stringify(content)).toContain('the heron');
    const runs = await place.cuervo(['runs', 'list']);
    expect(runs.stdout).toContain('file.read for');
  });

  it('refuses what brings no token, a wrong one, or one in the address', async () => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    expect((await post(server)).status).toBe(200);
    for (const authorization of ['', 'Bearer', 'Bearer x', server.token, `Basic ${server.token}`])
      expect(await post(server, { headers: { authorization } })).toMatchObject({ status: 401 });
    const path = `/mcp?token=${server.token}&authorization=Bearer%20${server.token}`;
    expect((await post(server, { path, headers: { authorization: '' } })).status).toBe(401);
  });

  it('refuses a page of another origin, and a name that was pointed at this machine', async () => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    for (const origin of ['https://example.org', 'null', 'http://127.0.0.1.example.org'])
      expect(await post(server, { headers: { origin } })).toMatchObject({ status: 403 });
    for (const host of ['example.org', `rebound.example:${server.url.port}`])
      expect(await post(server, { headers: { host } })).toMatchObject({ status: 403 });
    expect((await post(server, { headers: { origin: server.url.origin } })).status).toBe(200);
  });

  it('refuses a body that is too long, and is there for the next one', async () => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    expect((await post(server, { body: `"${'x'.repeat(5 * 1024 ** 2)}"` })).status).toBe(413);
    expect((await post(server, { body: '{"jsonrpc":"2.0","id":1,"meth' })).status).toBe(400);
    expect((await post(server)).status).toBe(200);
  });

  it('gives a request that comes slowly half a minute at most, and serves others meanwhile', async () => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    const head = `host: ${server.url.host}\r\nauthorization: Bearer ${server.token}\r\n`;
    const length = 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{';
    const [headers, body] = [
      openSlow(server, 'POST /mcp HTTP/1.1\r\n', 'x-more: 1\r\n'),
      openSlow(server, `POST /mcp HTTP/1.1\r\n${head}${length}`, ' '),
    ];
    expect((await post(server)).status).toBe(200);
    await Promise.all([headers, body]);
    expect((await post(server)).status).toBe(200);
  });

  it('tells a client of its limits, which all who send the token share', async () => {
    using place = openPlace(files);
    mkdirSync(place.home, { mode: 0o700 });
    const limits = ['calls-at-once = 1', 'calls-a-minute = 20', 'bytes-a-minute = 300'];
    writeFileSync(join(place.home, 'config.toml'), ['[mcp]', ...limits, ''].join('\n'));
    await using server = await openHttp(place);
    await using one = await openClient(server);
    await using other = await openClient(server);
    const readBy = async ({ client }: Connected): Promise<string> =>
      JSON.stringify(await client.callTool({ name: 'file_read', arguments: { path: 'a.txt' } }));
    const results = await Promise.all(
      Array.from({ length: 21 }, (_, at) => readBy(at % 2 === 0 ? one : other)),
    );
    const having = (text: string) => results.filter((each) => each.includes(text)).length;
    expect(having('the heron')).toBeGreaterThan(0);
    expect(having('bytes in a minute for this client, the limit (mcp.bytes-a-minute)')).toBe(
      20 - having('the heron'),
    );
    expect(having('20 calls in a minute for this client, the limit (mcp.calls-a-minute)')).toBe(1);
  });

  it('goes on after undo, which takes back what this token changed, once', async () => {
    using place = openPlace(files);
    const tools = ['--tools', 'undo', '--allow', 'fs-write:work'];
    await using server = await openHttp(place, tools);
    await using connected = await openClient(server);
    const call = async (name: string, input: Record<string, unknown> = {}) =>
      JSON.stringify(await connected.client.callTool({ name, arguments: input }));
    const b = join(place.work, 'b.txt');
    await call('file_write', { path: 'b.txt', text: 'b' });
    expect(existsSync(b)).toBe(true);
    expect(await call('undo')).toContain('b.txt');
    expect(existsSync(b)).toBe(false);
    expect(await call('file_read', { path: 'b.txt' })).toContain('"isError":true');
    expect(await call('undo')).toContain('"isError":true');
    await call('file_write', { path: 'b.txt', text: 'b' });
    expect(existsSync(b)).toBe(true);
  });

  it('answers two requests with one id, each with its own result', async () => {
    using place = openPlace({ ...files, 'b.txt': 'the quarry\n' });
    await using server = await openHttp(place);
    const read = (path: string) =>
      post(server, {
        headers: { 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
          params: { name: 'file_read', arguments: { path } },
        }),
      });
    const [one, other] = await Promise.all([read('a.txt'), read('b.txt')]);
    expect([one.status, one.text]).toEqual([200, expect.stringContaining('the heron')]);
    expect([other.status, other.text]).toEqual([200, expect.stringContaining('the quarry')]);
  });

  it('names the port that another server has', async () => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    const ran = await place.cuervo(['mcp', 'serve', '--http', server.url.port]);
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain(
      `port ${server.url.port} of 127.0.0.1 cannot be used: another program has it`,
    );
  });
});
