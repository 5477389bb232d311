import NpmConfig from '@npmcli/config';
import npmDefinitions from '@npmcli/config/lib/definitions/index.js';
import { createWebClient, type WebClient, type WebSettings } from './sources/web-client.ts';

/** What npm would use: registries of scopes, tokens, proxies, certificates, time limits. */
export type RegistryOptions = Readonly<Record<string, unknown>>;

/**
 * Reads the configuration of npm: its variables, the user's `.npmrc` and the one of the system. The
 * `.npmrc` of a project is not read: a repository would say where downloads come from, and could
 * have variables sent there.
 *
 * @param env of the process
 */
export async function readNpmConfig(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RegistryOptions> {
  const config = new NpmConfig({
    ...npmDefinitions,
    npmPath: import.meta.dirname,
    // A copy: the library may write into it.
    env: { ...env },
    argv: [],
    cwd: '/',
    warn: false,
  });
  config.loadDefaults();
  config.loadCLI();
  config.loadEnv();
  await config.loadUserConfig();
  await config.loadGlobalConfig();
  return config.flat;
}

const defaultIdleMs = 30_000;

/** What npm's configuration says of connections. */
export function webSettings(options: RegistryOptions): WebSettings {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const ca = [options.ca].flat().filter((each): each is string => typeof each === 'string');
  const httpsProxy = text(options.httpsProxy);
  const httpProxy = text(options.proxy) ?? httpsProxy;
  // Npm waits five minutes; a person who waits for a plugin does not. A shorter limit counts.
  const idleMs = Math.min(Number(options.timeout) || defaultIdleMs, defaultIdleMs);
  return {
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    ...(httpProxy === undefined ? {} : { httpProxy }),
    noProxy: [options.noProxy].flat().flatMap((each) => `${each ?? ''}`.split(',')),
    ...(ca.length === 0 ? {} : { ca }),
    strictSsl: options.strictSSL !== false,
    idleMs,
  };
}

/** The registry of a package: that of its scope, or the general one. Ends with a slash. */
export function registryOf(name: string, options: RegistryOptions): URL {
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined;
  const found = (scope && options[`${scope}:registry`]) ?? options.registry;
  const url = new URL(String(found ?? 'https://registry.npmjs.org/'));
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * The credential that npm would send to an address: by its host and the longest path that is
 * configured, like `//registry.example.org/team/:_authToken`.
 */
export function npmCredential(url: URL, options: RegistryOptions): Record<string, string> {
  const parts = url.pathname.split('/').filter(Boolean);
  for (let count = parts.length; count >= 0; count -= 1) {
    const path = parts.slice(0, count).join('/');
    const key = `//${url.host}/${path === '' ? '' : `${path}/`}`;
    const read = (name: string): string | undefined => {
      const value = options[`${key}:${name}`] ?? options[`${key.replace(/\/$/, '')}:${name}`];
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const token = read('_authToken');
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    const basic = read('_auth');
    if (basic !== undefined) return { authorization: `Basic ${basic}` };
    const [user, password] = [read('username'), read('_password')];
    if (user !== undefined && password !== undefined) {
      const plain = `${user}:${Buffer.from(password, 'base64').toString()}`;
      return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
    }
  }
  return {};
}

/**
 * The client with what npm's configuration says of proxies and certificates.
 *
 * @param env of the process
 */
export async function openWeb(
  env: Readonly<Record<string, string | undefined>>,
): Promise<WebClient> {
  return createWebClient(webSettings(await readNpmConfig(env)));
}
