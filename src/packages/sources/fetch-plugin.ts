import { join } from 'node:path';
import { readNpmConfig, webSettings } from '../registry.ts';
import { fetchFromNpm, type NpmPorts, pluginOfTarball } from './npm-source.ts';
import { fetchFromOci } from './oci-source.ts';
import { fileProof, maxProofBytes, packageProofs, proofSuffixes } from './parse-proof-file.ts';
import { type FetchedPlugin, type PluginSource, type Proof, sourceBase } from './parse-source.ts';
import { createWebClient, type WebClient } from './web-client.ts';
import { requireNoPage } from './web-errors.ts';

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

/** Brings a `.wasm`, or a packed npm package, from any server, with the proofs that lie beside it. */
async function fetchFromWeb(
  source: Extract<PluginSource, { kind: 'https' }>,
  options: { web: WebClient; maxPluginBytes: number; partials: string; signal: AbortSignal },
): Promise<FetchedPlugin> {
  const { web, maxPluginBytes, partials, signal } = options;
  const { url, text: what } = source;
  const answer = await web.send({
    url,
    what,
    maxBytes: maxPluginBytes * 2,
    signal,
    resume: { folder: partials },
  });
  requireNoPage(answer, what);
  const common = { source: what, base: sourceBase(source), resolved: what, notes: [] };
  if (/\.t(?:ar\.)?gz$/.test(url.pathname)) {
    const { bytes, files, path } = pluginOfTarball(answer.body, what, maxPluginBytes);
    return { ...common, bytes, proofs: packageProofs(files, path) };
  }
  const proofs: Proof[] = [];
  for (const suffix of proofSuffixes) {
    const beside = new URL(url);
    beside.pathname += suffix;
    const found = await web.send({
      url: beside,
      what: beside.href,
      maxBytes: maxProofBytes,
      signal,
      returns: [400, 401, 403, 404, 410],
    });
    // An HTML page is no proof: some servers answer every address with one.
    const isPage = /^text\/html/i.test(found.headers['content-type'] ?? '');
    if (found.status === 200 && !isPage) proofs.push(fileProof(found.body, beside.href));
  }
  return { ...common, bytes: answer.body, proofs };
}
