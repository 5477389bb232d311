import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { eras } from '../support/mcp-client.ts';
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

const files = { 'a.txt': 'the heron\n' };

describe('cuervo mcp serve --http', () => {
  it.each(eras)('serves the official client of %s that sends the token', async (era) => {
    using place = openPlace(files);
    await using server = await openHttp(place);
    expect(server.url.hostname).toBe('127.0.0.1');
    expect(statSync(join(place.home, 'mcp-token')).mode & 0o777).toBe(0o600);
    const client = new Client(
      { name: 'tests', version: '1' },
      era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    const headers = { authorization: `Bearer ${server.token}` };
    await client.connect(
      new StreamableHTTPClientTransport(server.url, { requestInit: { headers } }),
    );
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { content } = await client.callTool({ name: 'file_read', arguments: { path: 'a.txt' } });
    expect(JSON.stringify(content)).toContain('the heron');
    await client.close();
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
    const slow = connect(Number(server.url.port), server.url.hostname);
    slow.on('error', () => {});
    slow.write('POST /mcp HTTP/1.1\r\n');
    const drip = setInterval(() => slow.write('x-more: 1\r\n'), 1_000);
    const closed = new Promise((resolve) => slow.once('close', resolve));
    expect((await post(server)).status).toBe(200);
    await closed;
    clearInterval(drip);
    expect((await post(server)).status).toBe(200);
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
