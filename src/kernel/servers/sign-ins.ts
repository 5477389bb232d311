import { isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { SignIn } from '../../contracts/servers.ts';
import { parseRequestUrl } from '../../http/check-request.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { isPublicAddress } from '../../lib/net/addresses.ts';
import { parseSecret } from '../../secrets/parse-secrets.ts';
import type { SecretsFile } from '../../secrets/secrets.ts';
import type { RemoteAuth } from '../../servers/open-remote.ts';
import type { SignedIn } from '../../servers/sign-in.ts';
import { createCheckedFetch, serverError } from './checked-fetch.ts';

/** A server elsewhere. */
export type Remote = { name: string; url: string };

/** The sign-ins at servers elsewhere. What each leaves is two secrets, of which no model reads one. */
export type SignIns = {
  /** Signs a person in. @throws {KernelError} where it does not come to an end */
  enter(remote: Remote, how: SignIn, signal: AbortSignal): Promise<void>;
  /** how requests of a server say who asks; undefined where nobody signed in */
  authOf(remote: Remote): RemoteAuth | undefined;
  forget(name: string): Promise<void>;
};

/** Sent with each request, by the client that hides it in what comes back. */
const tokenName = (server: string): string => `mcp.${server}.token`;
/** For the next token; it goes to where tokens are given out alone. */
const loginName = (server: string): string => `mcp.${server}.login`;

/** The same without sign-ins, which only the server that a person signed in at is sent. */
export function withoutSignIns(secrets: Secrets): Secrets {
  const isSignIn = (name: string): boolean => /^mcp\..+\.(?:token|login)$/.test(name);
  return {
    has: (name) => !isSignIn(name) && secrets.has(name),
    unlock: (signal) => secrets.unlock(signal),
    find: (name) => (isSignIn(name) ? undefined : secrets.find(name)),
  };
}

const pollMs = 50;
/** As long as requests of servers may take. */
const patienceMs = 30_000;

/**
 * Does `work` while no other process does; a refresh token is often good for one use.
 *
 * @param isDone another process did it meanwhile
 */
async function aloneAmongProcesses(
  path: string,
  isDone: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  const { lockFile } = await import('../../lib/files/lock-file.ts');
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    if (isDone()) return;
    const lock = tryTo(() => lockFile(path, { what: 'a sign-in is renewed' }));
    if (lock instanceof KernelError) {
      if (performance.now() > untilMs) throw lock;
      await setTimeout(pollMs);
      continue;
    }
    using _ = lock;
    return isDone() ? undefined : await work();
  }
}

function tryTo<Value>(make: () => Value): Value | KernelError {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof KernelError && thrown.code === 'unavailable') return thrown;
    throw thrown;
  }
}

/** @param ports.home the folder in which processes wait for each other */
export function createSignIns(ports: {
  secrets: SecretsFile;
  resolve: ResolveHost;
  home: string;
}): SignIns {
  const { secrets, resolve, home } = ports;
  const keep = async (
    { name, url }: Remote,
    { token, login }: SignedIn,
    signal: AbortSignal,
  ): Promise<void> => {
    const { formatLogin } = await import('../../servers/parse-server.ts');
    const kept = [
      {
        ...{ name: loginName(name), value: formatLogin(login) },
        origins: [new URL(login.endpoint).origin],
      },
      { name: tokenName(name), value: token, origins: [new URL(url).origin] },
    ];
    for (const secret of kept) await secrets.set(requireKeepable(secret, name), signal);
  };
  const renew = async (remote: Remote): Promise<void> => {
    const { name } = remote;
    const { signal } = new AbortController();
    await secrets.unlock(signal);
    const held = secrets.find(loginName(name));
    if (held === undefined) throw again(name, 'there is no sign-in');
    const [{ parseLogin }, { refreshSignIn }] = await Promise.all([
      import('../../servers/parse-server.ts'),
      import('../../servers/sign-in.ts'),
    ]);
    const fetch = createCheckedFetch({
      ...{ secrets, resolve, signal },
      mayReach: (origin) => held.origins.includes(origin),
    });
    const login = parseLogin(held.value, held.name);
    const next = await refreshSignIn(login, { shown: `MCP server ${name}`, fetch });
    await keep(remote, next, signal);
  };
  const renewing = new Map<string, Promise<void>>();

  return {
    enter: async (remote, { agree, show, clientId }, signal) => {
      const { name, url } = remote;
      const shown = `MCP server ${name}`;
      const server = new URL(url);
      const agreed = new Set<string>();
      const mayReach = async (origin: string): Promise<boolean> => {
        if (origin === server.origin || agreed.has(origin)) return true;
        refusePrivate(origin, server);
        if (!(await agree({ name, origin }))) return false;
        agreed.add(origin);
        return true;
      };
      const { openRedirect, signIn } = await import('../../servers/sign-in.ts');
      await using target = await openRedirect(signal);
      const fetch = createCheckedFetch({ secrets, resolve, signal, mayReach });
      const how = {
        ...{ target, ...(clientId === undefined ? {} : { clientId }) },
        show: async (address: URL) => {
          const { origin } = parseRequestUrl(address.href);
          if (!(await mayReach(origin)))
            throw new ServiceError('denied', `nobody agreed to ${origin}`, origin);
          await show(address.href);
        },
      };
      const signedIn = await signIn({ shown, url, fetch }, how).catch((thrown: unknown) => {
        throw withHint(serverError(name, thrown));
      });
      await keep(remote, signedIn, signal);
    },
    authOf: (remote) => {
      const { name } = remote;
      const secret = tokenName(name);
      if (!secrets.has(secret)) return undefined;
      let sent: string | undefined;
      return {
        token: async () => {
          await secrets.unlock(new AbortController().signal);
          sent = secrets.find(secret)?.value;
          return `{{secret:${secret}}}`;
        },
        onUnauthorized: async () => {
          // Another process, or another call, may have fetched the next one already.
          const isNext = (): boolean => sent !== secrets.find(secret)?.value;
          const begin = () =>
            aloneAmongProcesses(join(home, `.sign-in-${name}`), isNext, () => renew(remote));
          const running = renewing.get(name) ?? begin().finally(() => renewing.delete(name));
          renewing.set(name, running);
          await running.catch((thrown: unknown) => {
            if (isNext()) return;
            const { message } = thrown instanceof Error ? thrown : { message: String(thrown) };
            throw again(name, message, thrown);
          });
        },
      };
    },
    forget: async (name) => {
      for (const secret of [tokenName(name), loginName(name)]) await secrets.remove(secret);
    },
  };
}

/** A name never leads to a private address; an address does only where the person typed it. */
function refusePrivate(origin: string, server: URL): void {
  const { hostname } = new URL(origin);
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) === 0 || isPublicAddress(literal) || hostname === server.hostname) return;
  throw new ServiceError(
    'denied',
    `it signs in at ${origin}, an address of a private network that is not its own`,
    origin,
  );
}

function withHint(thrown: unknown): unknown {
  if (!(thrown instanceof KernelError) || thrown.hint !== undefined) return thrown;
  return new KernelError(thrown.code, thrown.message, {
    cause: thrown,
    hint: 'Where nobody can register, name a client with --client-id; a token of your own goes with --secret NAME of cuervo mcp add',
  });
}

function again(name: string, why: string, cause?: unknown): KernelError {
  const shown = `MCP server ${name}`;
  const text = why.startsWith(shown) ? why : `${shown}: ${why}`;
  return new KernelError('permission-denied', `${text}; it wants a new sign-in`, {
    ...(cause === undefined ? {} : { cause }),
    hint: `Sign in again with: cuervo mcp login ${name}`,
  });
}

function requireKeepable(secret: Parameters<typeof parseSecret>[0], server: string) {
  try {
    return parseSecret(secret);
  } catch (thrown) {
    const { message } = KernelError.from(thrown, 'internal');
    throw new KernelError(
      'unavailable',
      `what MCP server ${server} gave cannot be kept: ${message}`,
    );
  }
}
