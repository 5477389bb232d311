import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect } from 'vitest';
import { makeCertificate } from '../fixtures/tls/make-certificate.ts';
import { type Served, serve } from '../fixtures/tls/serve.ts';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { networkPrograms } from './support/network-programs.ts';
import { root } from './support/paths.ts';
import { expectSuccess, put, usePlace } from './support/place.ts';

/** What the servers tell those who reach them. */
const treasure = `treasure-${randomBytes(12).toString('hex')}`;
const answer: RequestListener = (request, response) => {
  if (request.url === '/away') response.writeHead(302, { Location: `${originOf(other)}/` }).end();
  else response.end(`${treasure} ${request.headers.host}`);
};

const certificate = makeCertificate(['name.test', '127.0.0.1']);
let secure: Served;
let plain: Served;
let other: Served;
const originOf = ({ port }: Served): string => `http://127.0.0.1:${port}`;
const secureOrigin = (): string => `https://127.0.0.1:${secure.port}`;

const place = usePlace({
  fill: async (made) => {
    secure = await serve(answer, certificate);
    plain = await serve(answer);
    other = await serve(answer);
    put(made.work, 'issuer.txt', certificate.cert);
    await made.install(await buildGuest('program-runner'));
  },
});
afterAll(async () => {
  for (const served of [secure, plain, other]) await served?.[Symbol.asyncDispose]();
});

type Output = { exitCode?: number; stdout: string; stderr: string };
const outputOf = (ran: Ran): Output => expectSuccess(ran) as Output;

const allow = (program: string, origins: readonly string[]): string[] => [
  ...['fs:work', `exec:${program}`],
  ...origins.map((origin) => `http:${origin}`),
];
const run = (program: string, args: readonly string[], origins: readonly string[]): Promise<Ran> =>
  place.run('program-runner.go', { program, args }, { allow: allow(program, origins) });

const curlFlags = ['-sS', '-m', '20', '--cacert', 'issuer.txt'];
const curl = (args: readonly string[], origins: readonly string[]): Promise<Ran> =>
  run('curl', [...curlFlags, ...args], origins);

/** Asks by a tunnel of its own making, with any server name and any `Host`. */
const nodeScript = `
const http = require('node:http');
const tls = require('node:tls');
const [authority, servername, host] = process.argv.slice(1);
const proxy = new URL(process.env.HTTPS_PROXY);
const request = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority });
request.on('error', (error) => console.log('error', error.code));
request.on('response', () => {});
request.on('connect', ({ statusCode }, socket) => {
  if (statusCode !== 200) { console.log('status', statusCode); socket.destroy(); return; }
  const opened = tls.connect({ socket, ...(servername ? { servername } : {}), rejectUnauthorized: false });
  opened.on('error', (error) => console.log('error', error.code));
  opened.on('secureConnect', () => opened.write('GET / HTTP/1.1\\r\\nHost: ' + host + '\\r\\nConnection: close\\r\\n\\r\\n'));
  opened.on('data', (chunk) => process.stdout.write(chunk));
});
request.end();`;
const node = (args: readonly string[], origins: readonly string[]): Promise<Ran> =>
  run('node', ['-e', nodeScript, ...args], origins);

/** Nobody was even connected to. */
async function reachesNobody(work: () => Promise<void>): Promise<void> {
  const servers = [secure, plain, other];
  const before = servers.map(({ connections }) => connections);
  await work();
  expect(servers.map(({ connections }) => connections)).toEqual(before);
}

/** Rows of the journal about connections of programs, oldest first. */
function journaled(): string[] {
  const database = new Database(join(place.home, 'cuervo.db'), { readonly: true });
  try {
    const rows = database
      .prepare("SELECT outcome, target FROM host_calls WHERE call = 'exec.connect' ORDER BY seq")
      .all() as { outcome: string; target: string }[];
    return rows.map(({ outcome, target }) => `${outcome} ${target}`);
  } finally {
    database.close();
  }
}

escapeCase('origin that a program was not granted', {
  needs: networkPrograms,
  denied: [
    [
      'without an origin there is no way to a server on this machine',
      () =>
        reachesNobody(async () => {
          for (const url of [`${secureOrigin()}/`, `${originOf(plain)}/`]) {
            const { exitCode, stdout } = outputOf(await curl([url], []));
            expect({ url, exitCode, stdout }).toEqual({ url, exitCode: 7, stdout: '' });
          }
        }),
    ],
    [
      'with one, no other port, address or name is reached, by no form of asking',
      () =>
        reachesNobody(async () => {
          const { port } = plain;
          for (const args of [
            [`${originOf(other)}/`],
            [`http://127.0.0.2:${secure.port}/`],
            [`https://127.0.0.1:${other.port}/`],
            [`http://127.0.0.1:${secure.port}/`],
            ['-p', `http://127.0.0.1:${port}/`],
            ['https://example.org/'],
            ['--noproxy', '*', `${secureOrigin()}/`],
            ['--connect-to', `::127.0.0.1:${port}`, `${secureOrigin()}/`],
            ['--socks5-hostname', '127.0.0.1:61080', `${originOf(other)}/`],
            ['--unix-socket', '/run/cuervo-proxy.sock', `${originOf(other)}/`],
          ]) {
            const ran = outputOf(await curl(args, [secureOrigin()]));
            expect(ran.stdout, args.join(' ')).not.toContain(treasure);
          }
          expect(journaled()).toContain(`denied ${originOf(other)}`);
          expect(journaled()).toContain('denied https://example.org');
        }),
    ],
    [
      'a redirect to another origin is asked about like any other request',
      async () => {
        const { connections } = other;
        const ran = await curl(['-L', `${originOf(plain)}/away`], [originOf(plain)]);
        expect(outputOf(ran).stdout).toMatch(/was not granted to this program/);
        expect(other.connections).toBe(connections);
        expect(ran.stderr).toContain(
          `was kept from ${originOf(other)}; cuervo plugin grant program-runner http:${originOf(other)}`,
        );
      },
    ],
  ],
  control: [
    'a granted one answers curl and node, in TLS and in plain, and the journal says where',
    async () => {
      const got = outputOf(await curl([`${secureOrigin()}/?q=1`], [secureOrigin()]));
      expect(got).toMatchObject({ exitCode: 0, stdout: `${treasure} 127.0.0.1:${secure.port}` });
      const open = outputOf(await curl([`${originOf(plain)}/a?q=1`], [originOf(plain)]));
      expect(open.stdout).toBe(`${treasure} 127.0.0.1:${plain.port}`);
      const own = outputOf(await node([`127.0.0.1:${secure.port}`, '', 'x'], [secureOrigin()]));
      expect(own.stdout).toContain(treasure);
      expect(journaled()).toContain(`ok ${secureOrigin()}`);
      expect(journaled()).toContain(`ok GET ${originOf(plain)}/a?…`);
    },
  ],
});

/** As far as npm asks a registry for one package. */
const registry: RequestListener = (_request, response) => {
  const versions = { '1.3.0': { name: 'left-pad', version: '1.3.0' } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name: 'left-pad', 'dist-tags': { latest: '1.3.0' }, versions }));
};
const npmView = (origin: string, origins: readonly string[]): Promise<Ran> =>
  run('npm', ['view', 'left-pad', 'version', '--registry', `${origin}/`], origins);
const grantOf = (origin: string): string =>
  `cuervo plugin grant program-runner http:${origin} lets it`;

escapeCase('origin of a program that was granted none', {
  needs: {
    ...networkPrograms,
    file: `${networkPrograms.file}, npm`,
    isThere: () => networkPrograms.isThere() && existsSync('/usr/bin/npm'),
  },
  denied: [
    [
      'npm and curl are refused at once by a proxy that names the grant',
      async () => {
        const npm = await npmView('https://registry.npmjs.org', []);
        expect(outputOf(npm).stderr).toContain('E403');
        expect(npm.stderr).toContain(
          `program "npm" was kept from https://registry.npmjs.org; ${grantOf('https://registry.npmjs.org')}`,
        );
        const got = await curl(['https://name.test/'], []);
        expect(outputOf(got).exitCode).not.toBe(0);
        expect(got.stderr).toContain(grantOf('https://name.test'));
        expect(journaled()).toContain('denied https://name.test');
      },
    ],
    [
      'a program that goes past the proxy is told of by its words',
      async () => {
        const script = 'require("node:net").connect(443, "name.test")';
        const ran = await run('node', ['-e', script], []);
        expect(outputOf(ran).stderr).toMatch(/EAI_AGAIN|ENOTFOUND/);
        expect(ran.stderr).toContain(`program "node" has no network; ${grantOf('https://HOST')}`);
      },
    ],
  ],
  control: [
    'npm reads from a registry that was granted, and nothing is told of it',
    async () => {
      await using served = await serve(registry);
      const ran = await npmView(originOf(served), [originOf(served)]);
      expect(outputOf(ran)).toMatchObject({ exitCode: 0, stdout: '1.3.0\n' });
      expect(ran.stderr).not.toContain('cuervo plugin grant');
      expect(served.connections).toBeGreaterThan(0);
    },
  ],
});

escapeCase('server behind a granted one', {
  needs: networkPrograms,
  denied: [
    [
      'the greeting of TLS names no other server than the granted one',
      async () => {
        const asked = secure.asked.length;
        const target = `127.0.0.1:${secure.port}`;
        const { stdout } = outputOf(await node([target, 'name.test', 'x'], [secureOrigin()]));
        expect(stdout).toMatch(/^error /);
        expect(secure.asked.length).toBe(asked);
        expect(journaled()).toContain(`denied ${secureOrigin()}`);
      },
    ],
    [
      'a plain request asks for no other host than that of its URL',
      async () => {
        const { stdout } = outputOf(
          await curl(['-H', 'Host: name.test', `${originOf(plain)}/`], [originOf(plain)]),
        );
        expect(stdout).toBe(`${treasure} 127.0.0.1:${plain.port}`);
        expect(plain.headers.host).toBe(`127.0.0.1:${plain.port}`);
      },
    ],
    [
      'what is not a request is passed on to no port that was granted in plain',
      async () => {
        const asked = plain.asked.length;
        const script = `exec 3<>/dev/tcp/127.0.0.1/61080; printf 'CONNECT 127.0.0.1:${plain.port} HTTP/1.1\\r\\n\\r\\nFLUSHALL\\r\\n' >&3; cat <&3`;
        const { stdout } = outputOf(await run('bash', ['-c', script], [originOf(plain)]));
        expect(stdout).toMatch(/^HTTP\/1\.1 (?:200[\s\S]+HTTP\/1\.1 )?400/);
        expect(plain.asked.length).toBe(asked);
      },
    ],
  ],
  control: [
    'the right name is let through, whatever is asked for inside, which nobody can see',
    async () => {
      const target = `127.0.0.1:${secure.port}`;
      const { stdout } = outputOf(await node([target, '', 'name.test'], [secureOrigin()]));
      expect(stdout).toContain(`${treasure} name.test`);
    },
  ],
});

/** The guest with a resolver of ours; everything else is as on the command line. */
const curlResolved = (url: string, answers: readonly (readonly string[])[]): Promise<Ran> => {
  const input = { program: 'curl', args: [...curlFlags, url] };
  const grants = allow('curl', [new URL(url).origin]).join(',');
  return place.cuervo(
    ['program-runner.go', JSON.stringify(input), grants, JSON.stringify(answers), '--json'],
    { program: join(root, 'tests/escape/support/run-with-resolver.ts'), cwd: place.work },
  );
};
const timesAsked = (ran: Ran): unknown => ran.events.find(({ type }) => type === 'resolver')?.asked;

escapeCase('name that leads a program inside', {
  needs: networkPrograms,
  denied: [
    [
      'a name with a private address is connected to by no program',
      () =>
        reachesNobody(async () => {
          const url = `https://name.test:${secure.port}/`;
          for (const answers of [['127.0.0.1'], ['192.0.2.1', '10.0.0.1'], ['::ffff:127.0.0.1']]) {
            const ran = await curlResolved(url, [answers]);
            expect(outputOf(ran).stdout).toBe('');
            expect(outputOf(ran).stderr).toContain('403');
            expect(timesAsked(ran)).toBe(1);
          }
        }),
    ],
  ],
  control: [
    'the same server answers a program under its address',
    async () => {
      const ran = await curlResolved(`${secureOrigin()}/`, []);
      expect(outputOf(ran).stdout).toContain(treasure);
      expect(timesAsked(ran)).toBe(0);
    },
  ],
});
