import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  type OAuthServerInfo,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
  SdkHttpError,
  selectResourceURL,
  startAuthorization,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { KernelError } from '../contracts/error.ts';
import { ServiceError } from '../contracts/host-service.ts';
import { onAbort } from '../lib/signals.ts';
import { escapeText } from '../lib/text/printable.ts';
import type { CheckedFetch } from './open-remote.ts';
import type { Login } from './parse-server.ts';

const maxErrorText = 400;
const maxAddress = 8_192;
/** What a server that wants a sign-in answers with 401. */
const probe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** A token, and what it takes to get the next one. */
export type SignedIn = { token: string; login: Login };

type Asked = {
  /** as messages name the server */
  shown: string;
  url: string;
  /** asks before it goes to an origin that nobody agreed to */
  fetch: CheckedFetch;
};

/**
 * Signs a person in at the authorization server that an MCP server names: OAuth 2.1 with PKCE, by
 * the functions of the protocol's own library.
 *
 * @param how.clientId where the server lets nobody register
 * @param how.show shows the address where the person signs in; asks before it leads elsewhere
 * @throws {KernelError} one sentence of what the servers did
 */
export async function signIn(
  asked: Asked,
  how: { target: RedirectTarget; clientId?: string; show(address: URL): Promise<void> },
): Promise<SignedIn> {
  const { shown, fetch } = asked;
  const { target, clientId, show } = how;
  try {
    const challenge = await challengeOf(asked);
    const found = await discoverOAuthServerInfo(asked.url, {
      fetchFn: fetch,
      ...(challenge.metadata === undefined ? {} : { resourceMetadataUrl: challenge.metadata }),
    });
    const { authorizationServerUrl: server, resourceMetadata } = found;
    const metadata = requireProof(found);
    await selectResourceURL(asked.url, nobody, resourceMetadata);
    const resource = resourceMetadata?.resource;
    const scope = scopeOf(challenge.scope, found);
    const client =
      clientId === undefined
        ? await registerClient(server, {
            ...{ metadata, fetchFn: fetch, clientMetadata: clientOf(target.url) },
            ...(scope === undefined ? {} : { scope }),
          })
        : { client_id: clientId };
    const common = { metadata, clientInformation: client, ...(resource && { resource }) };
    const { authorizationUrl, codeVerifier } = await startAuthorization(server, {
      ...{ ...common, redirectUrl: target.url, state: target.state },
      ...(scope === undefined ? {} : { scope }),
    });
    if (authorizationUrl.href.length > maxAddress)
      throw new Error(`an address of ${authorizationUrl.href.length} characters`);
    await show(authorizationUrl);
    const { code, iss } = await target.returned;
    const tokens = await exchangeAuthorization(server, {
      ...{ ...common, authorizationCode: code, codeVerifier, redirectUri: target.url },
      ...{ fetchFn: fetch, ...(iss === undefined ? {} : { iss }) },
    });
    const { client_id, client_secret, token_endpoint_auth_method } = {
      ...{ client_secret: undefined, token_endpoint_auth_method: undefined },
      ...client,
    };
    return {
      token: tokenOf(tokens),
      login: {
        issuer: metadata.issuer,
        endpoint: metadata.token_endpoint,
        methods: metadata.token_endpoint_auth_methods_supported ?? [],
        client: {
          client_id,
          ...(client_secret === undefined ? {} : { client_secret }),
          ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
        },
        ...(resource === undefined ? {} : { resource }),
        ...(tokens.refresh_token === undefined ? {} : { refresh: tokens.refresh_token }),
      },
    };
  } catch (thrown) {
    throw signInError(shown, thrown);
  }
}

/** The next token, without a person. @throws {KernelError} `permission-denied` where it takes one */
export async function refreshSignIn(
  login: Login,
  { shown, fetch }: Omit<Asked, 'url'>,
): Promise<SignedIn> {
  const { issuer, endpoint, methods, client, resource, refresh } = login;
  try {
    if (refresh === undefined) throw new OAuthError('invalid_grant', 'the token has ended');
    const tokens = await refreshAuthorization(issuer, {
      metadata: {
        ...{ issuer, token_endpoint: endpoint, authorization_endpoint: issuer },
        ...{ response_types_supported: ['code'], token_endpoint_auth_methods_supported: methods },
      },
      ...{ clientInformation: client, refreshToken: refresh, fetchFn: fetch },
      ...(resource === undefined ? {} : { resource }),
    });
    return {
      token: tokenOf(tokens),
      login: { ...login, refresh: tokens.refresh_token ?? refresh },
    };
  } catch (thrown) {
    throw signInError(shown, thrown);
  }
}

/** Whether a server ended a request because it wants to know who asks. */
export function wantsSignIn(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (SdkHttpError.isInstance(cause)) return cause.status === 401;
  return UnauthorizedError.isInstance(cause);
}

/** No library of the protocol holds anything of a person here. */
const nobody = {} as Parameters<typeof selectResourceURL>[1];

/** Where the server's own words about its sign-in are. */
async function challengeOf({ url, shown, fetch }: Asked): Promise<{
  metadata?: URL;
  scope?: string;
}> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: probe });
  if (answer.status !== 401) {
    throw new KernelError('conflict', `${shown} asks nobody to sign in (HTTP ${answer.status})`, {
      hint: 'See what it answers with: cuervo mcp test NAME',
    });
  }
  const { resourceMetadataUrl: metadata, scope } = extractWWWAuthenticateParams(answer);
  if (metadata !== undefined && metadata.origin !== new URL(url).origin)
    throw new Error(`it keeps what it says of itself elsewhere, at ${metadata.origin}`);
  return { ...(metadata && { metadata }), ...(scope === undefined ? {} : { scope }) };
}

/** Without PKCE, a code that another program takes is a token. */
function requireProof({ authorizationServerUrl, authorizationServerMetadata }: OAuthServerInfo) {
  if (authorizationServerMetadata === undefined)
    throw new Error(`${authorizationServerUrl} says nothing of itself as an authorization server`);
  if (authorizationServerMetadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw new Error(`${authorizationServerUrl} does not say that it checks PKCE (S256)`);
  return authorizationServerMetadata;
}

/** What is asked for, and where the server has it, that the sign-in outlasts the first token. */
function scopeOf(asked: string | undefined, found: OAuthServerInfo): string | undefined {
  const { resourceMetadata, authorizationServerMetadata } = found;
  const scope = asked ?? resourceMetadata?.scopes_supported?.join(' ');
  const lasts = authorizationServerMetadata?.scopes_supported?.includes('offline_access') === true;
  if (scope === undefined || !lasts || scope.split(' ').includes('offline_access')) return scope;
  return `${scope} offline_access`;
}

function clientOf(redirect: string): Parameters<typeof registerClient>[1]['clientMetadata'] {
  return {
    client_name: 'cuervo',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
}

function tokenOf({ token_type, access_token }: OAuthTokens): string {
  if (/^bearer$/i.test(token_type)) return access_token;
  throw new Error(`it gave a token of the type ${JSON.stringify(token_type)}, and not Bearer`);
}

function signInError(shown: string, thrown: unknown): unknown {
  if (thrown instanceof KernelError || thrown instanceof ServiceError) return thrown;
  const cause = { cause: thrown };
  if (thrown instanceof OAuthError)
    return new KernelError(
      thrown.code === OAuthErrorCode.ServerError ? 'unavailable' : 'permission-denied',
      `${shown}: its authorization server refuses (${cut(thrown.code)})`,
      cause,
    );
  // What it received instead may be of anybody.
  const said =
    thrown instanceof IssuerMismatchError
      ? `another authorization server answered than ${thrown.expected}`
      : thrown instanceof Error
        ? thrown.message
        : String(thrown);
  return new KernelError('unavailable', `${shown}: nobody can sign in: ${cut(said)}`, cause);
}

function cut(text: string): string {
  return escapeText(text.replace(/\s+/g, ' ')).slice(0, maxErrorText);
}

const host = '127.0.0.1';
const path = '/signed-in';
const stateBytes = 32;
/** For a request as a whole; a browser on this machine sends it at once. */
const requestMs = 10_000;
const maxConnections = 16;
/** For a person who signs in. */
const maxWaitMs = 10 * 60_000;
const maxCodeText = 64;

export type Returned = { code: string; iss?: string };

/** Where a browser comes back to on this machine after a sign-in. */
export type RedirectTarget = AsyncDisposable & {
  url: string;
  /** what the browser has to bring back */
  state: string;
  /** @throws {KernelError} `permission-denied` where the person or the server said no */
  returned: Promise<Returned>;
};

/**
 * Waits for one browser. Any page can send one here, so that a request without the state is
 * refused and changes nothing.
 */
export async function openRedirect(signal: AbortSignal): Promise<RedirectTarget> {
  const state = randomBytes(stateBytes).toString('base64url');
  const { promise: returned, resolve, reject } = Promise.withResolvers<Returned>();
  returned.catch(() => {});
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs });
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    const url = URL.parse(request.url ?? '', `http://${host}`);
    const say = (status: number, text: string): void => {
      response.writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        connection: 'close',
      });
      response.end(`${text}\n`);
    };
    if (url?.pathname !== path) return say(404, 'There is nothing here.');
    const [code, error, iss] = ['code', 'error', 'iss'].map((name) => url.searchParams.get(name));
    if (!isSame(url.searchParams.get('state') ?? '', state))
      return say(400, 'This is not the sign-in that cuervo waits for. Nothing was changed.');
    if (code == null || code === '') {
      // Its description may be of anybody; the code is one of a list.
      const said = (error ?? 'no code').replace(/[^\w -]/g, '').slice(0, maxCodeText);
      reject(new KernelError('permission-denied', `the sign-in ended with: ${said}`));
      return say(400, 'The sign-in was refused. You can close this page.');
    }
    resolve({ code, ...(iss == null ? {} : { iss }) });
    return say(200, 'cuervo has what it needs. You can close this page.');
  });
  const { promise: listening, resolve: listens, reject: failed } = Promise.withResolvers<void>();
  server.once('error', failed);
  server.listen(0, host, listens);
  await listening;
  const late = AbortSignal.timeout(maxWaitMs);
  const forget = onAbort(AbortSignal.any([signal, late]), (reason) => {
    const text = `nobody signed in within ${maxWaitMs / 60_000} minutes`;
    reject(
      late.aborted
        ? new KernelError('deadline-exceeded', text)
        : KernelError.from(reason, 'canceled'),
    );
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}${path}`,
    ...{ state, returned },
    [Symbol.asyncDispose]: async () => {
      forget();
      const closed = new Promise<void>((end) => server.close(() => end()));
      // One that is half sent would never end.
      server.closeAllConnections();
      await closed;
    },
  };
}

function isSame(sent: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(wanted)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
