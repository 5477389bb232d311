import { join } from 'node:path';
import { readNpmConfig } from '../registry.ts';
import type { FetchedPlugin } from './fetched-plugin.ts';
import { fetchFromWeb } from './https-source.ts';
import { webSettings } from './npm-settings.ts';
import { fetchFromNpm, type NpmPorts } from './npm-source.ts';
import { fetchFromOci } from './oci-source.ts';
import type { PluginSource } from './parse-source.ts';
import { createWebClient } from './web-client.ts';

/** Where plugins are brought from and how; opened by what needs the network. */
export type SourceAccess = NpmPorts & { env: Readonly<Record<string, string | undefined>> };

/**
 * @param env of the process, as npm and docker read it
 * @param home `CUERVO_HOME`: half of a download waits there for the rest
 */
export async function openSourceAccess(options: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  maxPluginBytes: number;
  signal: AbortSignal;
}): Promise<SourceAccess> {
  const { env, home, maxPluginBytes, signal } = options;
  const registry = await readNpmConfig(env);
  const web = createWebClient(webSettings(registry));
  return { web, registry, env, maxPluginBytes, signal, partials: join(home, 'downloads') };
}

/** Brings a plugin from wherever it is; nothing of it runs. */
export async function fetchPlugin(
  source: Exclude<PluginSource, { kind: 'file' }>,
  access: SourceAccess,
): Promise<FetchedPlugin> {
  if (source.kind === 'npm') return await fetchFromNpm(source, access);
  if (source.kind === 'oci') return await fetchFromOci(source, access);
  return await fetchFromWeb(source, access);
}
