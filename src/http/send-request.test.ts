import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import tls from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../tests/fixtures/tls/make-certificate.ts';
import { type Served, serve } from '../../tests/fixtures/tls/serve.ts';
import { ServiceError } from '../contracts/host-service.ts';
import type { Secret } from '../contracts/secrets.ts';
import { resolveAddresses, resolveBySystem } from './resolve-addresses.ts';
import { type Answer, sendOnce } from './send-once.ts';
import { type HttpPorts, type HttpRequest, sendRequest } from './send-request.ts';

const never = new AbortController().signal;
const token = `token-${randomBytes(8).toString('hex')}`;
const zeros = Buffer.alloc(2_000_000);

const routes: Record<string, RequestListener> = {
  '/plain': (_, response) => response.setHeader('X-Kind', 'plain').end('plain'),
  '/echo': (request, response) => {
    response.setHeader('X-Echo', String(request.headers.authorization));
    response.end(JSON.stringify(request.headers));
  },
  '/cookie': (_, response) => response.setHeader('Set-Cookie', 'a=b').end(),
  '/large': (_, response) =>
    response.setHeader('Content-Length', 2001).end(zeros.subarray(0, 2001)),
  '/chunked': (_, response) => {
    response.write(zeros.subarray(0, 1500));
    response.end(zeros.subarray(0, 1500));
  },
  '/gzip': (_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync('small')),
  '/br': (_, response) =>
    response.setHeader('Content-Encoding', 'br').end(brotliCompressSync('small')),
  '/deflate': (_, response) =>
    response.setHeader('Content-Encoding', 'deflate').end(deflateSync('small')),
  '/zstd': (_, response) =>
    response.setHeader('Content-Encoding', 'zstd').end(zstdCompressSync('small')),
  '/bomb': (_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync(zeros)),
  '/odd': (_, response) => response.setHeader('Content-Encoding', 'gzip, gzip').end('x'),
  '/broken': (_, response) => response.setHeader('Content-Encoding', 'gzip').end('no gzip'),
  '/cut': (_, response) => {
    response.writeHead(200, { 'Content-Length': '10' });
    response.write('12345', () => response.destroy());
  },
  '/trailers': (request, response) => {
    response.writeHead(200, { Trailer: 'X-Sum' });
    response.write('summed');
    response.addTrailers({ 'X-Sum': `of ${request.headers.authorization}` });
    response.end();
  },
  '/slow': (_, response) => response.write('begun'),
  '/silent': () => {},
  '/loop': (_, response) => response.writeHead(302, { Location: '/loop' }).end(),
  '/here': (_, response) => response.writeHead(302, { Location: '/echo' }).end(),
  '/303': (_, response) => response.writeHead(303, { Location: '/echo' }).end(),
  '/307': (_, response) => response.writeHead(307, { Location: '/body' }).end(),
  '/body': (request, response) => request.pipe(response),
  '/away': (_, response) => response.writeHead(302, { Location: 'https://other.example/x' }).end(),
  '/inside': (_, response) => response.writeHead(302, { Location: 'http://10.0.0.7/x' }).end(),
  '/file': (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
};

const answer: RequestListener = (request, response) => {
  const route = routes[request.url?.split('?')[0] ?? ''];
  if (route) route(request, response);
  else response.writeHead(404).end();
};

let plain: Served;
let secure: Served;
const certificate = makeCertificate(['name.test', '127.0.0.1']);
beforeAll(async () => {
  plain = await serve(answer);
  secure = await serve(answer, certificate);
  // As NODE_EXTRA_CA_CERTS does for a process.
  tls.setDefaultCACertificates([certificate.cert]);
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
});

const secret = (): Secret => ({
  name: 'TOKEN',
  value: token,
  origins: [`http://127.0.0.1:${plain.port}`],
});

type Options = Partial<Omit<HttpRequest, 'url'>> & Partial<HttpPorts> & { url?: string };

function send(path: string, options: Options = {}): Promise<Answer> {
  const { url = `http://127.0.0.1:${plain.port}${path}`, ...more } = options;
  const request = {
    ...{ method: 'GET', headers: [], body: undefined, maxBytes: 2000, timeoutMs: 10_000 },
    ...more,
    url: new URL(url),
  };
  return sendRequest(request, {
    resolve: async () => [],
    secrets: {
      has: (name) => name === 'TOKEN',
      unlock: async () => {},
      find: (name) => (name === 'TOKEN' ? secret() : undefined),
    },
    authorize: async () => {},
    signal: never,
    ...more,
  });
}

const failure = (sending: Promise<unknown>): Promise<{ tag: string; message: string }> =>
  sending.then(
    () => expect.unreachable('it succeeded'),
    (thrown: unknown) => {
      expect(thrown).toBeInstanceOf(ServiceError);
      const { tag, message } = thrown as ServiceError;
      expect(message).not.toContain(token);
      return { tag, message };
    },
  );

describe('sendRequest()', () => {
  it('gives status, headers and body, and keeps cookies and the connection to itself', async () => {
    const got = await send('/plain');
    expect(got).toMatchObject({ status: 200, body: Buffer.from('plain') });
    expect(got.headers).toContainEqual(['x-kind', 'plain']);
    expect((await send('/cookie')).headers.map(([name]) => name)).toEqual(['date']);
    expect(plain.headers).toMatchObject({ connection: 'close', 'accept-encoding': 'identity' });
    expect((await send('/none')).status).toBe(404);
  });

  it('tells the length of what HEAD would bring', async () => {
    const { headers, body } = await send('/large', { method: 'HEAD' });
    expect(headers).toContainEqual(['content-length', '2001']);
    expect(body.byteLength).toBe(0);
    expect((await send('/gzip', { method: 'HEAD' })).status).toBe(200);
  });

  it('sends a body with its length', async () => {
    const body = Buffer.from('hello');
    const got = await send('/body', { method: 'POST', body });
    expect(got.body).toEqual(body);
    expect(plain.headers['content-length']).toBe('5');
  });

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'decodes %s, which it did not ask for',
    async (name) => {
      const got = await send(`/${name}`);
      expect(got.body.toString()).toBe('small');
      expect(got.headers.map(([header]) => header)).not.toContain('content-encoding');
    },
  );

  it('stops at the limit, as announced, as received and as decoded', async () => {
    for (const path of ['/large', '/chunked', '/bomb']) {
      expect(await failure(send(path))).toEqual({
        tag: 'limit',
        message: 'the answer has more than 2000 bytes',
      });
    }
    expect((await send('/large', { maxBytes: 2001 })).body.byteLength).toBe(2001);
    expect((await send('/bomb', { maxBytes: 2_000_000 })).body.byteLength).toBe(2_000_000);
  });

  it('takes no half of a body for a whole, and no encoding that it does not know', async () => {
    for (const path of ['/cut', '/broken', '/odd']) {
      expect((await failure(send(path))).tag).toBe('io');
    }
  });

  it('hands over what stands behind a body', async () => {
    const answered = await send('/trailers', { headers: [['authorization', 'me']] });
    expect(answered).toMatchObject({ trailers: [['x-sum', 'of me']] });
    expect(await send('/plain')).not.toHaveProperty('trailers');
    const { trailers } = await send('/trailers', {
      headers: [['authorization', '{{secret:TOKEN}}']],
    });
    expect(trailers).toEqual([['x-sum', 'of [secret TOKEN]']]);
  });

  it('ends where the first or the next byte takes longer than it may', async () => {
    const phases = { connectMs: 60_000, firstByteMs: 60_000, betweenBytesMs: 60_000 };
    const origin = `http://127.0.0.1:${plain.port}`;
    expect(await failure(send('/silent', { phases: { ...phases, firstByteMs: 50 } }))).toEqual({
      tag: 'timeout',
      message: `${origin}: no answer within 50 ms`,
    });
    expect(await failure(send('/slow', { phases: { ...phases, betweenBytesMs: 50 } }))).toEqual({
      tag: 'timeout',
      message: `${origin}: no further byte within 50 ms`,
    });
    expect((await send('/plain', { phases })).status).toBe(200);
  });

  it('ends at its deadline and with the call', async () => {
    for (const path of ['/silent', '/slow']) {
      const late = await failure(send(path, { timeoutMs: 100 }));
      expect(late).toEqual({
        tag: 'timeout',
        message: `http://127.0.0.1:${plain.port}: no answer within 100 ms`,
      });
      const call = new AbortController();
      const ended = failure(send(path, { signal: call.signal }));
      call.abort();
      expect((await ended).message).toContain('the call was ended');
    }
    const stuck = { url: 'https://name.test/', resolve: () => new Promise<never>(() => {}) };
    expect((await failure(send('', { ...stuck, timeoutMs: 50 }))).tag).toBe('timeout');
  });

  it('follows redirects at its origin, asks before each, and five of them', async () => {
    const asked: string[] = [];
    const authorize = async (method: string, url: URL): Promise<void> => {
      asked.push(`${method} ${url.pathname}`);
    };
    await send('/here', { authorize });
    expect(asked).toEqual(['GET /here', 'GET /echo']);
    asked.length = 0;
    const headers: [string, string][] = [['content-type', 'text/plain']];
    const body = Buffer.from('a body');
    const asGet = await send('/303', { authorize, method: 'POST', body, headers });
    expect(JSON.parse(asGet.body.toString())).not.toHaveProperty('content-type');
    const again = await send('/307', { authorize, method: 'PUT', body });
    expect(again.body).toEqual(body);
    expect(asked).toEqual(['POST /303', 'GET /echo', 'PUT /307', 'PUT /body']);
    expect((await failure(send('/loop'))).message).toBe('more than 5 redirects');
  });

  it('gives a redirect to another origin to the guest that may ask there, and to no other', async () => {
    const resolve = async () => expect.unreachable('it asked for the other name');
    const given = await send('/away', { resolve });
    expect(given).toMatchObject({ status: 302, body: Buffer.alloc(0) });
    expect(given.headers).toContainEqual(['location', 'https://other.example/x']);
    const authorize = async (_: string, url: URL): Promise<void> => {
      if (url.hostname === 'other.example') throw new ServiceError('denied', 'not granted');
    };
    expect(await failure(send('/away', { authorize, resolve }))).toEqual({
      tag: 'denied',
      message: 'not granted',
    });
  });

  it('does not tell where a redirect into a network leads', async () => {
    for (const path of ['/inside', '/file']) {
      const { tag, message } = await failure(send(path));
      expect(tag).toBe('denied');
      expect(message).not.toMatch(/10\.0|passwd|file/);
    }
  });

  it('inserts a secret on its way out and hides its echo', async () => {
    const headers: [string, string][] = [['authorization', 'Bearer {{secret:TOKEN}}']];
    for (const path of ['/echo', '/here']) {
      const got = await send(path, { headers });
      expect(plain.headers.authorization).toBe(`Bearer ${token}`);
      expect(got.headers).toContainEqual(['x-echo', 'Bearer [secret TOKEN]']);
      expect(got.body.toString()).toContain('"authorization":"Bearer [secret TOKEN]"');
      expect(JSON.stringify(got)).not.toContain(token);
    }
  });

  it('sends no secret elsewhere, none that is not there, and none with a range', async () => {
    const before = plain.asked.length + secure.asked.length;
    const named = (name: string): [string, string][] => [['x-key', `{{secret:${name}}}`]];
    const elsewhere = { url: `https://127.0.0.1:${secure.port}/echo`, headers: named('TOKEN') };
    expect((await failure(send('', elsewhere))).tag).toBe('denied');
    const missing = await failure(send('/echo', { headers: named('OTHER') }));
    expect(missing.tag).toBe('not-found');
    expect(missing.message).toContain(
      `cuervo secret set OTHER --for http://127.0.0.1:${plain.port}`,
    );
    expect((await failure(send('/echo', { headers: named('a b') }))).tag).toBe('invalid');
    const ranged: [string, string][] = [...named('TOKEN'), ['range', 'bytes=0-3']];
    expect((await failure(send('/echo', { headers: ranged }))).tag).toBe('invalid');
    const many: [string, string][] = [['x-key', '{{secret:TOKEN}}'.repeat(9)]];
    expect((await failure(send('/echo', { headers: many }))).tag).toBe('limit');
    expect(plain.asked.length + secure.asked.length).toBe(before);
  });

  it('asks nobody before it may', async () => {
    const authorize = async () => {
      throw new ServiceError('denied', 'not granted');
    };
    const resolve = async () => expect.unreachable('it asked for the name');
    const connections = secure.connections;
    const url = `https://name.test:${secure.port}/`;
    expect((await failure(send('', { url, authorize, resolve }))).message).toBe('not granted');
    expect(secure.connections).toBe(connections);
  });

  it('names no address when a connection fails', async () => {
    const { port } = plain;
    await using gone = await serve(answer);
    await gone[Symbol.asyncDispose]();
    const refused = await failure(send('', { url: `http://127.0.0.1:${gone.port}/` }));
    expect(refused).toEqual({
      tag: 'io',
      message: `http://127.0.0.1:${gone.port} could not be asked: ECONNREFUSED`,
    });
    expect((await failure(send('', { url: `https://127.0.0.1:${port}/` }))).tag).toBe('io');
  });
});

describe('sendOnce()', () => {
  const exchange = (name: string) => ({
    ...{ url: new URL(`https://${name}:${secure.port}/plain`), method: 'GET', headers: [] },
    ...{ body: undefined, maxBytes: 100, signal: never },
    addresses: [{ address: '127.0.0.1', family: 4 as const }],
  });

  it('connects to the address and shows the name, in TLS and in Host', async () => {
    expect((await sendOnce(exchange('name.test'))).body.toString()).toBe('plain');
    expect(secure.headers.host).toBe(`name.test:${secure.port}`);
  });

  it('takes the certificate of no other name', async () => {
    const asked = secure.asked.length;
    const { tag, message } = await failure(sendOnce(exchange('other.test')));
    expect(tag).toBe('io');
    expect(message).toMatch(/has no trusted certificate: ERR_TLS_CERT_ALTNAME_INVALID$/);
    expect(secure.asked.length).toBe(asked);
  });
});

describe('resolveAddresses()', () => {
  const url = new URL('https://name.test');
  const answering = (...addresses: string[]) => resolveAddresses(url, async () => addresses);

  it('takes public addresses of a name, and one that is written', async () => {
    expect(await answering('1.1.1.1', '2606:4700::1111')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    const written = (text: string) => resolveAddresses(new URL(text), async () => []);
    expect(await written('http://127.0.0.1:8080')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(await written('http://[::1]:8080')).toEqual([{ address: '::1', family: 6 }]);
  });

  it('refuses a name as soon as one of its addresses is private', async () => {
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:10.0.0.1',
      '169.254.169.254',
      'fe80::1%lo',
    ]) {
      const { tag, message } = await failure(answering('1.1.1.1', address));
      expect(tag).toBe('denied');
      expect(message).not.toContain(address);
    }
  });

  it("refuses this machine's own name, as the system's resolver knows it", async () => {
    const found = await resolveBySystem('localhost');
    expect(found.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
    const local = resolveAddresses(new URL('https://localhost'), resolveBySystem);
    expect((await failure(local)).tag).toBe('denied');
  });

  it('tells a name without an address', async () => {
    expect((await failure(answering())).tag).toBe('io');
    const failing = resolveAddresses(url, () => Promise.reject(new Error('ENOTFOUND')));
    expect((await failure(failing)).message).toContain('its name has no address');
  });
});
