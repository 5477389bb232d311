import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, expect } from 'vitest';
import { filesWith } from '../fixtures/files-with.ts';
import { makeCertificate } from '../fixtures/tls/make-certificate.ts';
import { type Served, serve } from '../fixtures/tls/serve.ts';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { root } from './support/paths.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const token = `tk+/${randomBytes(12).toString('hex')}`;
/** What the server inside tells those who reach it. */
const treasure = `treasure-${randomBytes(12).toString('hex')}`;
const megabyte = 1024 * 1024;

const routes: Record<string, RequestListener> = {
  '/plain': (_, response) => response.end(treasure),
  '/echo': (request, response) => {
    const sent = String(request.headers['x-key']);
    response.setHeader('X-Echo', sent);
    const basic = Buffer.from(`Basic ${sent}`).toString('base64');
    response.end([sent, encodeURIComponent(sent), basic, JSON.stringify({ sent })].join('\n'));
  },
  '/headers': (request, response) => response.end(JSON.stringify(request.headers)),
  '/sink': (request, response) => request.resume().once('end', () => response.end('read')),
  '/away': (_, response) => response.writeHead(302, { Location: `${origin(other)}/plain` }).end(),
  '/away-307': (_, response) =>
    response.writeHead(307, { Location: `${origin(other)}/plain` }).end(),
  '/here': (_, response) => response.writeHead(302, { Location: '/plain' }).end(),
  '/loop': (_, response) => response.writeHead(302, { Location: '/loop' }).end(),
  '/flood': (_, response) => {
    const chunk = Buffer.alloc(megabyte, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  '/most': (_, response) => response.end(Buffer.alloc(4 * megabyte, 'x')),
  '/slow': (_, response) => response.write('begun'),
  '/bomb': (_, response) =>
    response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(64 * megabyte))),
  '/packed': (_, response) => response.setHeader('Content-Encoding', 'gzip').end(gzipSync('small')),
};

const answer: RequestListener = (request, response) => {
  const route = routes[request.url?.split('?')[0] ?? ''];
  if (route) route(request, response);
  else response.writeHead(404).end();
};

const certificate = makeCertificate(['name.test', '127.0.0.1']);
let granted: Served;
let other: Served;
let secure: Served;
const origin = ({ port }: Served): string => `http://127.0.0.1:${port}`;
const secureOrigin = (): string => `https://127.0.0.1:${secure.port}`;

/** Where no keychain is, secrets are sealed with a passphrase. */
const unlocked = { CUERVO_SECRETS_PASSPHRASE: 'correct horse' };

const place = usePlace({
  fill: async (made) => {
    granted = await serve(answer);
    other = await serve(answer);
    secure = await serve(answer, certificate);
    writeFileSync(join(made.dir, 'ca.pem'), certificate.cert);
    await made.install(await buildGuest('http-caller'));
    const kept = await made.cuervo(['secret', 'set', 'TOKEN', '--for', origin(granted)], {
      stdin: `${token}\n`,
      env: unlocked,
    });
    expect(kept.stderr + kept.stdout).not.toContain(token);
    expect(kept.exitCode).toBe(0);
  },
});
afterAll(async () => {
  for (const served of [granted, other, secure]) await served?.[Symbol.asyncDispose]();
});

type Request = {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  bodyLength?: number;
  timeoutMs?: number;
  maxResponseBytes?: number;
};
type Got = { status: number; headers: [string, string][]; length: number; text: string };

const allow = (...origins: string[]): string[] => origins.map((each) => `http:${each}`);
const send = (
  request: Request,
  grants = allow(origin(granted)),
  passphrase: Record<string, string> = unlocked,
): Promise<Ran> =>
  place.run('http-caller.send', request, {
    allow: grants,
    env: { NODE_EXTRA_CA_CERTS: join(place.dir, 'ca.pem'), ...passphrase },
  });
const got = (ran: Ran): Got => expectSuccess(ran) as Got;
const tryAll = async (requests: readonly Request[], grants = allow(origin(granted))) =>
  outcomesOf(
    place,
    await place.run('http-caller.try-all', { requests }, { allow: grants, env: unlocked }),
  );

/** The guest with a resolver of ours; everything else is as on the command line. */
const sendResolved = (url: string, answers: string[][], timeoutMs = 500): Promise<Ran> =>
  place.cuervo(
    [
      'http-caller.send',
      JSON.stringify({ url, timeoutMs }),
      `http:${new URL(url).origin}`,
      ...[JSON.stringify(answers), '--json'],
    ],
    {
      program: join(root, 'tests/escape/support/run-with-resolver.ts'),
      env: { NODE_EXTRA_CA_CERTS: join(place.dir, 'ca.pem') },
    },
  );

const timesAsked = (ran: Ran): unknown => ran.events.find(({ type }) => type === 'resolver')?.asked;

/** Nobody was asked anything, and nobody was even connected to. */
async function reachesNobody(run: () => Promise<void>): Promise<void> {
  const servers = [granted, other, secure];
  const before = servers.map(({ connections }) => connections);
  const state = place.state();
  await run();
  expect(servers.map(({ connections }) => connections)).toEqual(before);
  expect(place.state()).toBe(state);
}

escapeCase('network without grant', {
  denied: [
    [
      'nothing is asked without a grant',
      () =>
        reachesNobody(async () => {
          const ran = await send({ url: `${origin(granted)}/plain` }, []);
          expectFailure(place, ran, {
            code: 'permission-denied',
            exit: 3,
            says: /not granted http/,
          });
        }),
    ],
    [
      'a grant of one origin is none of another port, scheme or host',
      () =>
        reachesNobody(async () => {
          const urls = [
            `${origin(other)}/plain`,
            `https://127.0.0.1:${granted.port}/plain`,
            `http://127.0.0.2:${granted.port}/plain`,
            `http://[::1]:${granted.port}/plain`,
            'https://example.org/',
          ];
          const outcomes = await tryAll(urls.map((url) => ({ url })));
          expectAllRefused(outcomes, ['denied']);
        }),
    ],
    [
      'a tool that promised to write at most asks nobody',
      () =>
        reachesNobody(async () => {
          const ran = await place.run(
            'http-caller.liar',
            { url: `${origin(granted)}/plain` },
            { allow: allow(origin(granted)) },
          );
          expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /effect "write"/ });
        }),
    ],
  ],
  control: [
    'with the grant it is answered, by http and https, and the journal says where',
    async () => {
      const ran = await send({ url: `${origin(granted)}/plain?private=query#part` });
      expect(got(ran)).toMatchObject({ status: 200, text: treasure });
      const safe = await send({ url: `${secureOrigin()}/plain` }, allow(secureOrigin()));
      expect(got(safe)).toMatchObject({ status: 200, text: treasure });
      const database = new Database(join(place.home, 'cuervo.db'), { readonly: true });
      const targets = database
        .prepare("SELECT target FROM host_calls WHERE call = 'http.send' AND outcome = 'ok'")
        .pluck()
        .all();
      database.close();
      expect(targets).toContain(`GET ${origin(granted)}/plain?…`);
      expect(targets).toContain(`GET ${secureOrigin()}/plain`);
    },
  ],
});

escapeCase('answer that is not what was asked for', {
  denied: [
    'a status other than 2xx and text that is not JSON fail for who asks for text or JSON',
    async () => {
      const get = (path: string, json: boolean) => {
        const input = { url: `${origin(granted)}${path}`, json };
        return place.run('http-caller.get', input, { allow: allow(origin(granted)) });
      };
      const absent = await get('/absent', false);
      expectFailure(place, absent, { code: 'not-found', exit: 4, says: /status 404/ });
      const text = await get('/plain', true);
      expectFailure(place, text, { code: 'tool-failed', exit: 1, says: /not JSON/ });
    },
  ],
  control: [
    'text and JSON are given as such',
    async () => {
      const get = async (path: string, json: boolean) => {
        const input = { url: `${origin(granted)}${path}`, json };
        return expectSuccess(
          await place.run('http-caller.get', input, { allow: allow(origin(granted)) }),
        );
      };
      expect(await get('/plain', false)).toEqual({ text: treasure });
      expect(await get('/headers', true)).toMatchObject({ json: { accept: 'application/json' } });
    },
  ],
});

escapeCase('proxy of the environment', {
  denied: [
    'it is not asked, by no name and no option of Node',
    async () => {
      const { connections } = other;
      const proxy = origin(other);
      const ran = await place.run(
        'http-caller.send',
        { url: `${origin(granted)}/plain` },
        {
          allow: allow(origin(granted)),
          env: {
            ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy },
            ...{ ALL_PROXY: proxy, NODE_USE_ENV_PROXY: '1', NODE_OPTIONS: '--use-env-proxy' },
          },
        },
      );
      expect(got(ran).text).toBe(treasure);
      expect(other.connections).toBe(connections);
    },
  ],
  control: [
    'it would answer who asked it',
    async () => {
      const ran = await send({ url: `${origin(other)}/plain` }, allow(origin(other)));
      expect(got(ran).text).toBe(treasure);
    },
  ],
});

escapeCase('certificate that nobody vouches for', {
  denied: [
    'a server with another name or an unknown issuer is not asked',
    async () => {
      const asked = secure.asked.length;
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
      const options = { allow: allow(secureOrigin()), env };
      const input = { url: `${secureOrigin()}/plain` };
      const ran = await place.run('http-caller.send', input, options);
      expectFailure(place, ran, { code: 'tool-failed', exit: 1, says: /certificate/ });
      expect(secure.asked.length).toBe(asked);
    },
  ],
  control: [
    'the same server is, once its issuer is known',
    async () => {
      const ran = await send({ url: `${secureOrigin()}/plain` }, allow(secureOrigin()));
      expect(got(ran).text).toBe(treasure);
    },
  ],
});

escapeCase('redirect to another origin', {
  denied: [
    'the other origin is not asked',
    async () => {
      const { connections } = other;
      for (const path of ['/away', '/away-307']) {
        const ran = await send({ url: `${origin(granted)}${path}` });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /redirect/ });
      }
      expect(other.connections).toBe(connections);
    },
  ],
  control: [
    'a redirect at the same origin is followed, and not for ever',
    async () => {
      expect(got(await send({ url: `${origin(granted)}/here` })).text).toBe(treasure);
      const looped = await send({ url: `${origin(granted)}/loop` });
      expectFailure(place, looped, { code: 'resource-exhausted', exit: 5, says: /5 redirects/ });
    },
  ],
});

escapeCase('name that leads inside', {
  denied: [
    [
      'a name with a private address is not asked, not even beside a public one',
      () =>
        reachesNobody(async () => {
          const url = `https://name.test:${secure.port}/plain`;
          for (const answers of [
            ['127.0.0.1'],
            ['192.0.2.1', '127.0.0.1'],
            ['::ffff:127.0.0.1'],
            ['64:ff9b::7f00:1'],
            ['2002:7f00:1::'],
          ]) {
            const ran = await sendResolved(url, [answers]);
            expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /private/ });
            for (const address of answers) expect(ran.error?.message).not.toContain(address);
          }
        }),
    ],
    [
      'a name that leads elsewhere when it is looked up again is looked up once',
      () =>
        reachesNobody(async () => {
          // The first address is one of documentation: nothing answers there.
          const url = `https://name.test:${secure.port}/plain`;
          const ran = await sendResolved(url, [['192.0.2.1'], ['127.0.0.1']]);
          expect(['deadline-exceeded', 'tool-failed']).toContain(ran.error?.code);
          expect(timesAsked(ran)).toBe(1);
          expect(ran.stdout).not.toContain(treasure);
        }),
    ],
  ],
  control: [
    'the same server answers under its address',
    async () => {
      const ran = await sendResolved(`${secureOrigin()}/plain`, [['127.0.0.1']], 10_000);
      expect(got(ran).text).toBe(treasure);
      expect(timesAsked(ran)).toBe(0);
    },
  ],
});

escapeCase('private address in disguise', {
  denied: [
    'every spelling is the same address, and none was granted',
    () =>
      reachesNobody(async () => {
        const { port } = other;
        const hosts = [
          ...['127.0.0.1', '2130706433', '017700000001', '0x7f000001', '0177.0.0.1', '127.1'],
          ...['0x7f.1', '%31%32%37.0.0.1', '１２７.0.0.1', '127。0。0。1', '127.0.0.1.'],
          ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', '0.0.0.0', '0'],
          ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]'],
          ...['[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '169.254.169.254'],
          ...['[fd00:ec2::254]', 'metadata.google.internal', '10.0.0.1', '192.168.1.1'],
        ];
        const urls = hosts.flatMap((host) => [
          `http://${host}:${port}/plain`,
          `https://${host}:${port}/plain`,
        ]);
        const outcomes = await tryAll(urls.map((url) => ({ url })));
        expectAllRefused(outcomes, ['denied', 'invalid']);
        // Nor can a name be granted that leads to this machine.
        const named = await send({ url: `http://localhost:${port}/plain` }, [
          `http:http://localhost:${port}`,
        ]);
        expect(named).toMatchObject({ exitCode: 2, error: { code: 'invalid-argument' } });
      }),
  ],
  control: [
    'granted as the address, each spelling of it is answered',
    async () => {
      const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '127.1'];
      const urls = hosts.map((host) => ({ url: `http://${host}:${other.port}/plain` }));
      const outcomes = await tryAll(urls, allow(origin(other)));
      expect(answered(outcomes)).toEqual(['GET', 'GET', 'GET', 'GET']);
    },
  ],
});

escapeCase('secret', {
  denied: [
    [
      'whether there is one, to who holds no origin at all',
      async () => {
        const ran = await place.run('http-caller.exists', { name: 'TOKEN' }, { allow: [] });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /not granted http/ });
      },
    ],
    [
      'what a server sends back of it is hidden: header, body, base64, URL-encoded, JSON',
      async () => {
        const ran = await send({
          url: `${origin(granted)}/echo`,
          headers: { 'X-Key': '{{secret:TOKEN}}' },
        });
        const { headers, text } = got(ran);
        expect(granted.headers['x-key']).toBe(token);
        expect(headers).toContainEqual(['x-echo', '[secret TOKEN]']);
        const [raw, encoded, base64, json] = text.split('\n');
        expect([raw, encoded]).toEqual(['[secret TOKEN]', '[secret TOKEN]']);
        expect(base64).toContain('[secret TOKEN]');
        expect(json).toBe('{"sent":"[secret TOKEN]"}');
        expectNoToken(ran);
      },
    ],
    [
      'without the passphrase it stays sealed, and nothing is sent',
      async () => {
        const request = {
          url: `${origin(granted)}/headers`,
          headers: { 'X-Key': '{{secret:TOKEN}}' },
        };
        got(await send(request));
        expect(granted.headers['x-key']).toBe(token);
        const before = granted.asked.length;
        const sealed = await send(request, undefined, {});
        expectFailure(place, sealed, {
          code: 'permission-denied',
          exit: 3,
          says: /sealed with a passphrase/,
        });
        expect(granted.asked.length).toBe(before);
      },
    ],
    [
      'it goes to no other origin, granted or not',
      () =>
        reachesNobody(async () => {
          const ran = await send(
            { url: `${origin(other)}/echo`, headers: { 'X-Key': '{{secret:TOKEN}}' } },
            allow(origin(granted), origin(other)),
          );
          expectFailure(place, ran, {
            code: 'permission-denied',
            exit: 3,
            says: /TOKEN is not for/,
          });
          expectNoToken(ran);
        }),
    ],
    [
      'it stands in no URL, no body and no other header, and one that is not there is told',
      async () => {
        const url = `${origin(granted)}/headers`;
        const body = await send({ method: 'POST', url, body: '{{secret:TOKEN}}' });
        expectNoToken(body);
        const before = granted.asked.length;
        const outcomes = await tryAll([
          { url: `${url}?key={{secret:TOKEN}}` },
          { url: `${url}/{{secret:TOKEN}}` },
          { url, headers: { '{{secret:TOKEN}}': 'x' } },
          { url, headers: { 'X-Key': '{{secret:../TOKEN}}' } },
          { url, headers: { 'X-Key': '{{secret:TOKEN}}', Range: 'bytes=0-3' } },
          { url, headers: { 'X-Key': '{{secret:ABSENT}}' } },
        ]);
        expectAllRefused(outcomes, ['invalid', 'not-found']);
        expect(outcomes.at(-1)).toMatchObject({ code: 'not-found' });
        expect(granted.asked.length).toBe(before);
      },
    ],
    [
      'no file of ours holds it or its passphrase, and the sealed one nobody else may read',
      async () => {
        expect(filesWith(place.home, 'TOKEN')).toContain(join(place.home, 'secrets.toml'));
        expect(filesWith(place.home, token)).toEqual([]);
        expect(filesWith(place.home, unlocked.CUERVO_SECRETS_PASSPHRASE)).toEqual([]);
        expect(statSync(join(place.home, 'secrets.toml')).mode & 0o777).toBe(0o600);
        const listed = await place.cuervo(['secret', 'list', '--json']);
        expect(JSON.parse(listed.stdout)).toEqual({ name: 'TOKEN', origins: [origin(granted)] });
      },
    ],
  ],
  control: [
    'it arrives where it is bound to, and the guest learns that there is one',
    async () => {
      await send({
        url: `${origin(granted)}/headers`,
        headers: { Authorization: 'Bearer {{secret:TOKEN}}' },
      });
      expect(granted.headers.authorization).toBe(`Bearer ${token}`);
      const exists = (name: string) =>
        place.run('http-caller.exists', { name }, { allow: allow(origin(granted)) });
      expect(expectSuccess(await exists('TOKEN'))).toBe(true);
      expect(expectSuccess(await exists('ABSENT'))).toBe(false);
    },
  ],
});

escapeCase('request that is another one', {
  denied: [
    [
      'headers of the connection, of the body, of cookies and with line ends',
      () =>
        reachesNobody(async () => {
          const url = `${origin(granted)}/headers`;
          const names = [
            ...['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'TE'],
            ...['Trailer', 'Expect', 'Cookie', 'Keep-Alive', 'Set-Cookie', 'Forwarded'],
            ...['Proxy-Authorization', 'Proxy-Connection', 'X-HTTP-Method-Override'],
            ...['X-Forwarded-For', 'Sec-WebSocket-Key', 'X-A\r\nHost', 'X A', 'X:A', '', 'É'],
          ];
          const values = ['a\r\nHost: evil', 'a\nb', 'a\rb', 'a\0b', 'ä', '\u2028', 'a\u010a'];
          const outcomes = await tryAll([
            ...names.map((name) => ({ url, headers: { [name]: 'chunked' } })),
            ...values.map((value) => ({ url, headers: { 'X-A': value } })),
            { url, headers: { 'X-A': 'a'.repeat(8193) } },
            { url, headers: Object.fromEntries([...Array(65).keys()].map((n) => [`x-${n}`, 'a'])) },
          ]);
          expectAllRefused(outcomes, ['invalid']);
        }),
    ],
    [
      'methods and URLs that are not requests',
      () =>
        reachesNobody(async () => {
          const url = `${origin(granted)}/plain`;
          const at = (text: string): Request => ({ url: text });
          const outcomes = await tryAll([
            ...['get', 'CONNECT', 'TRACE', 'PURGE', 'GET ', 'GET /x HTTP/1.1\r\nA:', ''].map(
              (method) => ({ method, url }),
            ),
            { method: 'GET', url, body: 'a body' },
            { method: 'HEAD', url, body: 'a body' },
            at(`http://user:word@127.0.0.1:${granted.port}/plain`),
            at(`http://user@127.0.0.1:${granted.port}/plain`),
            at(`http://127.0.0.1:${granted.port}@127.0.0.1:${other.port}/plain`),
            ...['file:///etc/passwd', 'data:text/plain,hello', 'ftp://127.0.0.1/', 'blob:x'].map(
              at,
            ),
            ...['javascript:1', 'ws://127.0.0.1/', 'node:fs', '/plain', '//127.0.0.1/', ''].map(at),
            at(`http:127.0.0.1:${other.port}/plain`),
            at(`http:\\\\127.0.0.1:${other.port}\\plain`),
            at(`${origin(other)}#@127.0.0.1:${granted.port}/`),
            at(`${origin(granted)}/${'a'.repeat(8192)}`),
          ]);
          expectAllRefused(outcomes, ['invalid', 'denied']);
        }),
    ],
    [
      'a body above 4 MiB, and one that no frame holds',
      () =>
        reachesNobody(async () => {
          const url = `${origin(granted)}/plain`;
          for (const bodyLength of [4 * megabyte + 1, 7 * megabyte]) {
            const ran = await send({ method: 'POST', url, bodyLength });
            expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /bytes/ });
          }
        }),
    ],
  ],
  control: [
    'plain ones are sent as they are',
    async () => {
      const url = `${origin(granted)}/headers?a=b%20c`;
      const ran = await send({
        method: 'PUT',
        url,
        headers: { 'X-A': 'a b', Accept: '*/*' },
        body: 'x',
      });
      expect(JSON.parse(got(ran).text)).toMatchObject({
        'x-a': 'a b',
        accept: '*/*',
        host: `127.0.0.1:${granted.port}`,
        'content-length': '1',
        connection: 'close',
      });
      expect(granted.asked.at(-1)).toBe('PUT /headers?a=b%20c');
      const sink = `${origin(granted)}/sink`;
      const largest = await send({ method: 'POST', url: sink, bodyLength: 4 * megabyte });
      expect(got(largest).text).toBe('read');
    },
  ],
});

escapeCase('answer without an end', {
  denied: [
    [
      'a flood stops at 4 MiB, and at what the guest takes',
      async () => {
        for (const maxResponseBytes of [0, 1000, 2 ** 31]) {
          const ran = await send({ url: `${origin(granted)}/flood`, maxResponseBytes });
          const limit = maxResponseBytes === 1000 ? 1000 : 4 * megabyte;
          expectFailure(place, ran, {
            code: 'resource-exhausted',
            exit: 5,
            says: new RegExp(`more than ${limit} bytes`),
          });
        }
      },
    ],
    [
      'a small body that unpacks to a large one stops at the same limit',
      async () => {
        const ran = await send({ url: `${origin(granted)}/bomb` });
        expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /4194304 bytes/ });
      },
    ],
    [
      'a body that does not go on ends at its deadline, and with the call',
      async () => {
        const ran = await send({ url: `${origin(granted)}/slow`, timeoutMs: 300 });
        expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5, says: /within 300 ms/ });
        const input = { url: `${origin(granted)}/slow`, timeoutMs: 2 ** 31 };
        const options = { allow: allow(origin(granted)), args: ['--timeout', '1'] };
        const killed = await place.run('http-caller.send', input, options);
        expectFailure(place, killed, { code: 'deadline-exceeded', exit: 5 });
      },
    ],
  ],
  control: [
    'an answer of 4 MiB is taken, and a packed one unpacked',
    async () => {
      expect(got(await send({ url: `${origin(granted)}/most` })).length).toBe(4 * megabyte);
      expect(got(await send({ url: `${origin(granted)}/packed` })).text).toBe('small');
    },
  ],
});

function expectNoToken({ stdout, stderr }: Ran): void {
  expect(stdout + stderr).not.toContain(token);
  // What base64 makes of its middle, whatever stands before it.
  for (const before of ['', 'x', 'xx']) {
    const middle = Buffer.from(before + token)
      .toString('base64')
      .slice(8, 28);
    expect(stdout + stderr).not.toContain(middle);
  }
}
