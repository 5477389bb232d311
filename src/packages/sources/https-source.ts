import type { FetchedPlugin, Proof } from './fetched-plugin.ts';
import { pluginOfTarball } from './npm-source.ts';
import { fileProof, maxProofBytes, packageProofs, proofSuffixes } from './parse-proof-file.ts';
import { type PluginSource, sourceBase } from './parse-source.ts';
import type { WebClient } from './web-client.ts';
import { requireNoPage } from './web-errors.ts';

/** Brings a `.wasm`, or a packed npm package, from any server, with the proofs that lie beside it. */
export async function fetchFromWeb(
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
