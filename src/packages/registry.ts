import NpmConfig from '@npmcli/config';
import npmDefinitions from '@npmcli/config/lib/definitions/index.js';

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
