import { createHash } from 'node:crypto';
import { KernelError } from '../../contracts/error.ts';
import { isThisMachine } from '../../lib/net/addresses.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { type Credential, dockerCredential, parseToken } from './parse-oci.ts';
import type { WebAnswer, WebClient, WebRequest } from './web-client.ts';

export type OciPorts = {
  web: WebClient;
  /** of the process, for what `docker login` keeps */
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
};

type OciRequest = Omit<WebRequest, 'url' | 'signal' | 'headers'> & {
  /** below `/v2/REPOSITORY/`, or an address that the registry gave */
  path: string | URL;
  contentType?: string;
};

/** One repository of a registry: requests with the credentials that it asks for. */
export type OciRegistry = {
  origin: string;
  send(request: OciRequest): Promise<WebAnswer>;
};

/**
 * @param access `pull`, or `pull,push` to publish
 * @throws {KernelError} of a login that is refused
 */
export function openOciRegistry(
  { registry, repository }: { registry: string; repository: string },
  access: 'pull' | 'pull,push',
  { web, env, signal }: OciPorts,
): OciRegistry {
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  const scheme = isThisMachine(new URL(`https://${host}`).hostname) ? 'http' : 'https';
  const origin = new URL(`${scheme}://${host}`).origin;
  const login = `Log in with: docker login ${registry}`;
  let authorization: string | undefined;

  const send = async ({ path, contentType, ...request }: OciRequest): Promise<WebAnswer> => {
    const url = path instanceof URL ? path : new URL(`/v2/${repository}/${path}`, origin);
    const once = (): Promise<WebAnswer> =>
      web.send({
        login,
        ...request,
        url,
        signal,
        returns: [401, ...(request.returns ?? [])],
        headers: (to) => ({
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
          ...(to.origin === origin && authorization !== undefined ? { authorization } : {}),
        }),
      });
    const first = await once();
    if (first.status !== 401) return first;
    authorization = await authorize(first, { web, env, signal }, request.what);
    const second = await once();
    if (second.status !== 401 || request.returns?.includes(401)) return second;
    throw new KernelError(
      'permission-denied',
      `${request.what}: ${origin} does not let you (401)`,
      {
        hint: login,
      },
    );
  };

  /** As the registry's answer says: a password at once, or a token that another server gives. */
  const authorize = async (refused: WebAnswer, ports: OciPorts, what: string): Promise<string> => {
    const challenge = refused.headers['www-authenticate'] ?? '';
    const credential = await dockerCredential(registry, ports.env);
    if (/^basic\b/i.test(challenge)) {
      if (credential === undefined || 'token' in credential) {
        throw new KernelError('permission-denied', `${what}: ${origin} asks for a login (401)`, {
          hint: login,
        });
      }
      return basic(credential);
    }
    const named = (name: string): string | undefined =>
      new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1];
    const realm = URL.parse(named('realm') ?? '');
    const isWeb = realm?.protocol === 'https:' && !isThisMachine(realm.hostname);
    if (!/^bearer\b/i.test(challenge) || realm === null || !(isWeb || realm.origin === origin)) {
      throw new KernelError(
        'permission-denied',
        `${what}: ${origin} asks for a login in a way that is not known: ${escapeLine(challenge).slice(0, 100)}`,
        { hint: login },
      );
    }
    const service = named('service');
    if (service !== undefined) realm.searchParams.set('service', service);
    realm.searchParams.set('scope', `repository:${repository}:${access}`);
    const tokenOf = (given: Credential | undefined): Promise<WebAnswer> =>
      ports.web.send({
        url: realm,
        what: `a login at ${realm.origin} for ${what}`,
        maxBytes: 1024 * 1024,
        signal: ports.signal,
        login,
        returns: [400],
        headers: (to) =>
          given !== undefined && 'user' in given && to.origin === realm.origin
            ? { authorization: basic(given) }
            : {},
        ...(given !== undefined && 'token' in given
          ? refresh(given.token, service, repository, access)
          : {}),
      });
    const answer = await tokenOf(credential);
    return `Bearer ${parseToken(answer.body, what, realm.origin)}`;
  };

  return { origin, send };
}

/** An identity token is changed into one for this repository. */
function refresh(
  token: string,
  service: string | undefined,
  repository: string,
  access: string,
): { method: 'POST'; body: Uint8Array } {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    service: service ?? '',
    client_id: 'cuervo',
    scope: `repository:${repository}:${access}`,
    refresh_token: token,
  });
  return { method: 'POST', body: Buffer.from(form.toString()) };
}

function basic({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
