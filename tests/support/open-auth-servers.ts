import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

/** Ways in which the servers are not what they should be. */
export type Manners = {
  /** in place of the address of the authorization server */
  signsInAt?: string;
  /** in place of fields of its metadata */
  metadata?: Record<string, unknown>;
  /** where the endpoint of tokens sends who asks */
  tokensAt?: string;
  /** what the answer of the browser says who it is from */
  iss?: string;
  /** whether it says no to who signs in */
  refuses?: boolean;
  hasNoRegistration?: boolean;
};

/** A server of MCP that wants a token, and the authorization server that gives them. */
export type AuthServers = AsyncDisposable & {
  /** of the server of MCP */
  url: string;
  issuer: string;
  manners: Manners;
  /** requests by now, as METHOD PATH */
  asked: string[];
  /** tokens that it gave, oldest first */
  tokens: string[];
  /** No token that was given counts any more; `refresh` also ends the sign-ins. */
  expire(what: 'tokens' | 'refresh'): void;
};

type Code = { challenge: string; client: string; redirect: string };

/**
 * Both speak the protocols: RFC 9728, RFC 8414, RFC 7591, and OAuth 2.1 with PKCE and refresh tokens
 * that count once.
 */
export async function openAuthServers(manners: Manners = {}): Promise<AuthServers> {
  const codes = new Map<string, Code>();
  const clients = new Map<string, string[]>([['known-client', []]]);
  const [valid, refreshes] = [new Set<string>(), new Map<string, string>()];
  const [asked, tokens]: [string[], string[]] = [[], []];
  let [issuer, url] = ['', ''];
  const give = (client: string) => {
    const [token, refresh] = [fresh('token'), fresh('refresh')];
    valid.add(token);
    tokens.push(token);
    refreshes.set(refresh, client);
    return { access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh };
  };

  const exchange = (form: URLSearchParams): Record<string, unknown> | undefined => {
    const client = form.get('client_id') ?? '';
    if (form.get('resource') !== url) return undefined;
    if (form.get('grant_type') === 'refresh_token') {
      const of = refreshes.get(form.get('refresh_token') ?? '');
      refreshes.delete(form.get('refresh_token') ?? '');
      return of === client ? give(client) : undefined;
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isHis =
      code?.client === client &&
      code.redirect === form.get('redirect_uri') &&
      code.challenge === proof.digest('base64url');
    return isHis ? give(client) : undefined;
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const [client, redirect] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
    const allowed = clients.get(client);
    const isKnown = allowed !== undefined && (allowed.length === 0 || allowed.includes(redirect));
    if (!isKnown || query.get('code_challenge_method') !== 'S256')
      return void response.writeHead(400).end();
    const back = new URL(redirect);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', manners.iss ?? issuer);
    if (manners.refuses) back.searchParams.set('error', 'access_denied');
    else {
      const code = fresh('code');
      codes.set(code, { challenge: query.get('code_challenge') ?? '', client, redirect });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  };

  const auth = createServer(async (request, response) => {
    const { pathname, searchParams } = note(request, asked, issuer);
    if (pathname === '/.well-known/oauth-authorization-server') {
      send(response, 200, {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize` },
        token_endpoint: `${issuer}/token`,
        ...(manners.hasNoRegistration ? {} : { registration_endpoint: `${issuer}/register` }),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        ...manners.metadata,
      });
    } else if (pathname === '/register') {
      const { redirect_uris } = (await json(request)) as { redirect_uris: string[] };
      const client_id = fresh('client');
      clients.set(client_id, redirect_uris);
      send(response, 201, { client_id, redirect_uris, token_endpoint_auth_method: 'none' });
    } else if (pathname === '/authorize') authorize(searchParams, response);
    else if (pathname === '/token' && manners.tokensAt !== undefined)
      response.writeHead(307, { location: manners.tokensAt }).end();
    else if (pathname === '/token') {
      const given = exchange(new URLSearchParams(await text(request)));
      send(response, given === undefined ? 400 : 200, given ?? { error: 'invalid_grant' });
    } else response.writeHead(404).end();
  });

  const web = createServer(async (request, response) => {
    const { pathname, origin } = note(request, asked, new URL(url).origin);
    const metadata = `${origin}/.well-known/oauth-protected-resource`;
    if (pathname === new URL(metadata).pathname)
      return send(response, 200, {
        ...{ resource: url, authorization_servers: [manners.signsInAt ?? issuer] },
        scopes_supported: ['read'],
      });
    if (pathname !== '/mcp') return void response.writeHead(404).end();
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !valid.has(token)) {
      const challenge = `Bearer resource_metadata="${metadata}"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    const { id, method } = (await json(request)) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = resultOf(method, token);
    const body = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
    send(response, 200, { jsonrpc: '2.0', id, ...body });
  });
  issuer = await listen(auth);
  url = `${await listen(web)}/mcp`;
  return {
    ...{ url, issuer, manners, asked, tokens },
    expire: (what) => {
      valid.clear();
      if (what === 'refresh') refreshes.clear();
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of [auth, web]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

/** A server of the older revisions, whose tool tells who asked it. */
function resultOf(method: string, token: string): object | undefined {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'docs', version: '1' },
    },
    'tools/list': { tools: [{ name: 'who', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: `you sent ${token}, and are known` }] },
  };
  return results[method];
}

const fresh = (kind: string): string => `${kind}-${randomBytes(12).toString('hex')}`;

function note(request: IncomingMessage, asked: string[], base: string): URL {
  const url = new URL(request.url ?? '/', base);
  asked.push(`${request.method} ${url.pathname}`);
  return url;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
