import { once } from 'node:events';
import https from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeafServer } from '../../../tests/fixtures/deaf-server.ts';
import { makeCertificate } from '../../../tests/fixtures/tls/make-certificate.ts';
import { serve } from '../../../tests/fixtures/tls/serve.ts';
import { faultOf } from '../../contracts/talk.ts';
import { connectingFetch } from './bounded-fetch.ts';

const connectMs = 200;
const send = connectingFetch({ connectMs });

// Otherwise a busy machine takes longer to connect.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());
const waitTwice = () => vi.advanceTimersByTime(2 * connectMs);

async function failure(answer: Promise<unknown>): Promise<Error> {
  return await answer.then(
    () => {
      throw new Error('it did not fail');
    },
    (thrown) => thrown as Error,
  );
}

describe('connectingFetch()', () => {
  it('gives up when nobody takes the connection', async () => {
    await using deaf = await startDeafServer();
    const error = failure(send(deaf.url));
    waitTwice();
    expect(await error).toMatchObject({
      ...{ code: 'unavailable', message: expect.stringMatching(/no connection within 0\.2 s$/) },
    });
    expect(faultOf(await error)).toEqual({ kind: 'unreachable' });
  });

  it('gives up when the certificate does not come', async () => {
    const sockets: Socket[] = [];
    // It takes the connection, and says nothing.
    const mute = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const taken = once(mute, 'connection');
    const error = failure(send(`https://127.0.0.1:${port}/`));
    await taken;
    waitTwice();
    expect((await error).message).toMatch(/no connection within 0\.2 s$/);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it.each([
    ['http', undefined],
    ['https', makeCertificate(['127.0.0.1'])],
  ])(
    'waits longer than that for an answer, over a new connection and an open one (%s)',
    async (scheme, tls) => {
      await using slow = await serve((_request, response) => {
        waitTwice();
        response.end('at last');
      }, tls);
      const { options } = https.globalAgent;
      const url = `${scheme}://127.0.0.1:${slow.port}/`;
      if (tls !== undefined) {
        const refused = await failure(send(url));
        expect(refused.message).toMatch(/certificate/);
        options.ca = tls.cert;
      }
      for (const _ of [1, 2]) expect(await (await send(url)).text()).toBe('at last');
      delete options.ca;
      expect(slow.connections).toBe(tls === undefined ? 1 : 2);
    },
  );

  it('sends method, headers and text, and gives status, headers and text', async () => {
    await using echo = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, headers } = request;
      response.writeHead(418, { 'set-cookie': ['a', 'b'] });
      response.end(JSON.stringify({ method, headers, body: `${Buffer.concat(chunks)}` }));
    });
    const answer = await send(`http://127.0.0.1:${echo.port}/x`, {
      ...{ method: 'POST', body: '{"é":1}', headers: new Headers({ 'X-Two': '2' }) },
    });
    expect(answer.status).toBe(418);
    expect(answer.headers.getSetCookie()).toEqual(['a', 'b']);
    expect(await answer.json()).toMatchObject({
      ...{ method: 'POST', body: '{"é":1}' },
      headers: { 'x-two': '2', 'content-length': '8', 'accept-encoding': 'identity' },
    });
  });

  it('follows no redirect, and has no body where there is none', async () => {
    await using server = await serve((request, response) => {
      if (request.url === '/empty') response.writeHead(204).end();
      else response.writeHead(302, { location: '/empty' }).end();
    });
    const url = `http://127.0.0.1:${server.port}`;
    const answer = await send(url);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/empty']);
    await answer.body?.cancel();
    expect((await send(`${url}/empty`)).body).toBeNull();
  });

  it('says that a status is none of a server of models', async () => {
    await using odd = await serve((_request, response) => response.writeHead(999).end());
    const error = await failure(send(`http://127.0.0.1:${odd.port}/`));
    expect(error.message).toMatch(/answered with status 999/);
  });

  it('ends when it is aborted, before and in the middle', async () => {
    await using server = await serve((_request, response) => void response.write('beginning'));
    const url = `http://127.0.0.1:${server.port}/`;
    expect((await failure(send(url, { signal: AbortSignal.abort() }))).name).toBe('AbortError');
    const stop = new AbortController();
    const { body } = await send(url, { signal: stop.signal });
    const reader = body?.getReader();
    await reader?.read();
    stop.abort();
    expect(await failure(reader?.read() ?? Promise.resolve())).toBeInstanceOf(Error);
  });
});
