import { readNpmConfig } from '../registry.ts';
import { webSettings } from './npm-settings.ts';
import { createWebClient, type WebClient } from './web-client.ts';

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
