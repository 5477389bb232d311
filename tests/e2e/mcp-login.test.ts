import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type AuthServers, openAuthServers } from '../support/open-auth-servers.ts';
import { openPlace, type Place } from '../support/place.ts';
import type { Ran } from '../support/run-cuervo.ts';

const env = { CUERVO_SECRETS_PASSPHRASE: 'correct horse' };

/** Runs a command as a person with a browser: what it prints to open is opened. */
async function withBrowser(
  place: Place,
  args: readonly string[],
  visit: (address: string) => Promise<unknown> = (address) => fetch(address),
): Promise<Ran & { pages: unknown[] }> {
  let opened: Promise<unknown> | undefined;
  const ran = await place.cuervo(['mcp', ...args], {
    env,
    onStderr: (said) => {
      const [, address] = /^To sign in, open: (\S+)$/m.exec(said) ?? [];
      if (address !== undefined) opened ??= visit(address).catch(String);
    },
  });
  return { ...ran, pages: [await opened] };
}

const add = (place: Place, { url }: AuthServers, ...more: readonly string[]) =>
  withBrowser(place, ['add', 'docs', '--yes', ...more, url]);
const who = (place: Place) =>
  place.cuervo(['run', 'docs.who', '{}', '--allow', 'call:who'], { env });

describe('cuervo mcp add of a server that wants a sign-in', () => {
  it('names where it signs in, opens it, and calls with a token that nobody sees', async () => {
    using place = openPlace();
    await using servers = await openAuthServers();
    const added = await add(place, servers);
    expect([added.code, added.stderr, added.stdout]).toEqual([
      ...[0, expect.any(String), 'added docs: docs.who\n'],
    ]);
    const { stderr } = added;
    expect(stderr).toContain(`MCP server docs signs people in at ${servers.issuer}\n`);
    expect(stderr.indexOf('signs people in at')).toBeLessThan(stderr.indexOf('To sign in, open'));
    const called = await who(place);
    expect([called.code, called.stdout]).toEqual([
      ...[0, expect.stringContaining('you sent [secret mcp.docs.token], and are known')],
    ]);
    const [token = ''] = servers.tokens;
    const journal = await place.cuervo(['runs', 'list', '--json'], { env });
    for (const text of [stderr, called.stdout, journal.stdout]) expect(text).not.toContain(token);
    expect(journal.stdout).toContain('mcp login');
    const secrets = await place.cuervo(['secret', 'list'], { env });
    expect(secrets.stdout).toContain('mcp.docs.login');
    await place.cuervo(['mcp', 'remove', 'docs'], { env });
    expect((await place.cuervo(['secret', 'list'], { env })).stdout).toBe('');
  });

  it('asks before it goes to an origin that the server names', async () => {
    using place = openPlace();
    await using servers = await openAuthServers();
    const added = await withBrowser(place, ['add', 'docs', servers.url]);
    expect([added.code, added.stderr]).toEqual([
      ...[3, expect.stringContaining(`signs people in at ${servers.issuer}`)],
    ]);
    expect(servers.asked.filter((each) => each.includes('authorization-server'))).toEqual([]);
    expect((await place.cuervo(['mcp', 'list'])).stdout).toBe('');
  });

  it('fetches the next token by itself, and names the command where it cannot', async () => {
    using place = openPlace();
    await using servers = await openAuthServers();
    await add(place, servers);
    servers.expire('tokens');
    expect((await who(place)).stdout).toContain('are known');
    expect(servers.tokens).toHaveLength(2);
    servers.expire('refresh');
    const ended = await who(place);
    expect(ended.code).toBe(3);
    expect(ended.stderr.match(/^error:/gm)).toHaveLength(1);
    expect(ended.stderr).toContain('cuervo mcp login docs');
    const login = await withBrowser(place, ['login', 'docs', '--yes']);
    expect([login.code, login.stdout]).toEqual([0, 'signed in at docs\n']);
    expect((await who(place)).stdout).toContain('are known');
  });

  it('fetches one next token for processes that find the old one refused at once', async () => {
    using place = openPlace();
    await using servers = await openAuthServers();
    await add(place, servers);
    servers.expire('tokens');
    const ran = await Promise.all([who(place), who(place), who(place)]);
    expect(ran.map(({ stdout }) => stdout.includes('are known'))).toEqual([true, true, true]);
    expect(servers.tokens).toHaveLength(2);
  });

  it('uses a client that was registered by hand where nobody can register', async () => {
    using place = openPlace();
    await using servers = await openAuthServers({ hasNoRegistration: true });
    const refused = await add(place, servers);
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining('--client-id')]);
    expect((await add(place, servers, '--client-id', 'known-client')).code).toBe(0);
    expect((await who(place)).stdout).toContain('are known');
  });
});

describe('a sign-in', () => {
  it('does not end by a request without its state', async () => {
    using place = openPlace();
    await using servers = await openAuthServers();
    const added = await withBrowser(
      place,
      ['add', 'docs', '--yes', servers.url],
      async (address) => {
        const back = new URL(address).searchParams.get('redirect_uri') ?? '';
        const wrong = [`${back}?code=stolen`, `${back}?code=stolen&state=wrong`];
        const statuses = [];
        for (const each of [...wrong, `${back}?error=no&state=wrong`, new URL('/', back).href])
          statuses.push((await fetch(each)).status);
        return [...statuses, (await fetch(address)).status];
      },
    );
    expect(added.pages).toEqual([[400, 400, 400, 404, 200]]);
    expect(added.code).toBe(0);
  });

  it.each([
    ['says no', { refuses: true }, 3, 'the sign-in ended with: access_denied'],
    ['is answered by another one', { iss: 'https://evil.example' }, 7, 'another authorization'],
    [
      'does not check PKCE',
      { metadata: { code_challenge_methods_supported: ['plain'] } },
      ...([7, 'does not say that it checks PKCE'] as const),
    ],
    [
      'says that it is another one',
      { metadata: { issuer: 'https://evil.example' } },
      ...([7, 'another authorization server answered'] as const),
    ],
    ['is a file', { signsInAt: 'file:///etc/passwd' }, 7, 'nobody can sign in'],
    [
      'has no encryption',
      { signsInAt: 'http://evil.example' },
      3,
      'plain http is for this machine',
    ],
    ['is this machine by name', { signsInAt: 'https://localhost' }, 3, 'name this machine by'],
    ['is of a private network', { signsInAt: 'https://10.1.2.3' }, 3, 'a private network'],
    [
      'opens a program of the person',
      { metadata: { authorization_endpoint: 'file:///bin/sh' } },
      ...([2, 'a URL begins with https://'] as const),
    ],
  ] as const)(
    'at an authorization server that %s leaves nothing',
    async (_, manners, code, text) => {
      using place = openPlace();
      await using servers = await openAuthServers({ ...manners });
      const added = await add(place, servers);
      expect([added.code, added.stderr]).toEqual([code, expect.stringContaining(text)]);
      expect(added.stderr.match(/^error:/gm)).toHaveLength(1);
      expect(servers.tokens).toEqual([]);
      expect((await place.cuervo(['mcp', 'list'])).stdout).toBe('');
      expect((await place.cuervo(['secret', 'list'], { env })).stdout).toBe('');
    },
  );

  it.each([
    ['names', (trap: string): object => ({ signsInAt: trap })],
    ['takes tokens from', (trap: string) => ({ metadata: { token_endpoint: `${trap}/token` } })],
    ['registers at', (trap: string) => ({ metadata: { registration_endpoint: `${trap}/r` } })],
    ['signs in at', (trap: string) => ({ metadata: { authorization_endpoint: `${trap}/a` } })],
    ['sends who wants a token to', (trap: string) => ({ tokensAt: `${trap}/token` })],
  ])('sends nothing to another address of this machine that it %s', async (_, mannersOf) => {
    using place = openPlace();
    const asked: (string | undefined)[] = [];
    const trap = createServer((request, response) => {
      asked.push(request.url);
      response.end('{}');
    });
    const other = await listen(trap);
    await using servers = await openAuthServers(mannersOf(other));
    const added = await add(place, servers);
    expect([3, 7]).toContain(added.code);
    expect(added.stderr.match(/^error: MCP server docs: /gm)).toHaveLength(1);
    expect([asked, servers.tokens]).toEqual([[], []]);
    // The same address answers who was sent there by a person.
    expect((await fetch(other)).status).toBe(200);
    expect(asked).toHaveLength(1);
    trap.close();
  });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.2', done));
  return `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
}
