import { KernelError } from '../../contracts/error.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { digestOf, type OciPorts, type OciRegistry, openOciRegistry } from './oci-registry.ts';
import {
  acceptedManifests,
  bundleType,
  type Descriptor,
  indexType,
  type OciManifest,
  parseOciManifest,
  wasmLayer,
} from './parse-oci.ts';
import { maxProofBytes, parseProofFile } from './parse-proof-file.ts';
import {
  type FetchedPlugin,
  ociDigest,
  type PluginSource,
  type Proof,
  sourceBase,
} from './parse-source.ts';
export type OciSource = Extract<PluginSource, { kind: 'oci' }>;

const maxManifestBytes = 4 * 1024 * 1024;
const maxProofs = 20;
/** Where `cuervo plugin sign` puts a signature with a key. */
export const signatureAnnotation = 'dev.cuervo.plugin.signature';
const versionAnnotation = 'org.opencontainers.image.version';

type FetchOptions = OciPorts & { maxPluginBytes: number; partials: string };

/** Brings the one component of an OCI artifact; every byte is checked against its digest. */
export async function fetchFromOci(
  source: OciSource,
  options: FetchOptions,
): Promise<FetchedPlugin> {
  const registry = openOciRegistry(source, 'pull', options);
  const what = source.text;
  const {
    manifest,
    bytes: manifestBytes,
    digest,
  } = await readManifest(registry, source.reference, what);
  const layer = wasmOf(manifest, what);
  if (layer.size > options.maxPluginBytes) {
    throw new KernelError(
      'resource-exhausted',
      `${what} has ${layer.size} bytes, limit ${options.maxPluginBytes}`,
      { hint: 'None of it was kept.' },
    );
  }
  const answer = await registry.send({
    path: `blobs/${layer.digest}`,
    what,
    maxBytes: options.maxPluginBytes,
    resume: { folder: options.partials },
  });
  requireDigest(answer.body, layer.digest, what, registry);
  requireSize(answer.body, layer.size, what, registry);
  const version = manifest.annotations[versionAnnotation] ?? versionOfTag(source.reference);
  const { proofs, notes } = await findProofs(registry, digest, what);
  return {
    bytes: answer.body,
    source: source.text,
    base: sourceBase(source),
    resolved: `${sourceBase(source)}@${digest}`,
    ...(version === undefined ? {} : { version }),
    carrier: { kind: 'oci', bytes: manifestBytes },
    proofs: [...proofs, ...signatureOf(manifest, layer)],
    notes,
  };
}

type ReadManifest = { manifest: OciManifest; bytes: Buffer; digest: string };

async function readManifest(
  registry: OciRegistry,
  reference: string,
  what: string,
  depth = 0,
): Promise<ReadManifest> {
  const answer = await registry.send({
    path: `manifests/${reference}`,
    what,
    maxBytes: maxManifestBytes,
    accept: acceptedManifests,
  });
  const bytes = answer.body;
  const digest = digestOf(bytes);
  if (ociDigest.test(reference)) requireDigest(bytes, reference, what, registry);
  const manifest = parseOciManifest(bytes, what, registry.origin);
  if (manifest.manifests === undefined) return { manifest, bytes, digest };
  const chosen = manifest.manifests.filter(({ platform, artifactType }) => {
    if (artifactType !== undefined && bundleType.test(artifactType)) return false;
    return (
      platform === undefined ||
      platform.architecture === 'wasm' ||
      platform.os === 'wasip2' ||
      platform.os === 'wasip1'
    );
  });
  const [one] = chosen;
  if (one === undefined || chosen.length > 1 || depth > 0) {
    const of = manifest.manifests.map(
      ({ platform }) => `${platform?.os ?? '?'}/${platform?.architecture ?? '?'}`,
    );
    const why =
      one === undefined
        ? `it is a list of ${escapeLine([...new Set(of)].slice(0, 5).join(', ') || 'nothing')}, and none of it is WebAssembly`
        : `it is a list of ${chosen.length} artifacts, and does not say which one is the plugin`;
    throw new KernelError('plugin-fault', `${what} is refused: ${why}`, {
      hint: 'Name the one by its digest: oci://REGISTRY/NAME@sha256:…',
    });
  }
  return await readManifest(registry, one.digest, what, depth + 1);
}

/**
 * Finds the `.wasm` by its media type; else the only layer, if the manifest is marked as
 * WebAssembly.
 */
export function wasmOf(manifest: OciManifest, what: string): Descriptor {
  const layers = manifest.layers ?? [];
  const typed = layers.filter(({ mediaType, annotations }) => {
    const title = annotations['org.opencontainers.image.title'] ?? '';
    return (
      mediaType === wasmLayer ||
      /^application\/(?:vnd\.(?:wasm|bytecodealliance|module\.wasm)\S*wasm\S*)/.test(mediaType) ||
      title.endsWith('.wasm')
    );
  });
  const all =
    typed.length === 0 && /wasm/.test(`${manifest.artifactType} ${manifest.config?.mediaType}`)
      ? layers
      : typed;
  const [layer] = all;
  if (layer !== undefined && all.length === 1) return layer;
  const why =
    all.length > 1
      ? `it holds ${all.length} layers of WebAssembly`
      : `none of its ${layers.length} layers is WebAssembly`;
  throw new KernelError('plugin-fault', `${what} is refused: ${why}`, {
    hint: 'A plugin is an artifact with one layer of the type application/wasm.',
  });
}

function requireDigest(bytes: Buffer, wanted: string, what: string, { origin }: OciRegistry): void {
  if (digestOf(bytes) === wanted) return;
  const message = `${what}: ${origin} gave ${bytes.byteLength} other bytes than ${wanted.slice(0, 19)}…`;
  throw new KernelError('plugin-fault', message, { hint: 'None of it was kept.' });
}

function requireSize(bytes: Buffer, said: number, what: string, { origin }: OciRegistry): void {
  if (bytes.byteLength === said) return;
  const message = `${what}: ${origin} gave ${bytes.byteLength} bytes and said ${said}`;
  throw new KernelError('plugin-fault', message, { hint: 'None of it was kept.' });
}

function versionOfTag(reference: string): string | undefined {
  return /^v?\d+\.\d+\.\d+/.test(reference) ? reference.replace(/^v/, '') : undefined;
}

function signatureOf(manifest: OciManifest, layer: Descriptor): Proof[] {
  const text = layer.annotations[signatureAnnotation] ?? manifest.annotations[signatureAnnotation];
  if (text === undefined) return [];
  const proof = parseProofFile(Buffer.from(text), 'the annotation.sig');
  return [{ proof, about: 'wasm' }];
}

/**
 * The bundles that refer to a manifest: by the referrers API, or by its fallback tag on registries
 * without that API.
 */
async function findProofs(
  registry: OciRegistry,
  digest: string,
  what: string,
): Promise<{ proofs: Proof[]; notes: string[] }> {
  const about = `the signatures of ${what}`;
  const ask = (path: string) =>
    registry.send({
      path,
      what: about,
      maxBytes: maxManifestBytes,
      accept: indexType,
      returns: [400, 401, 403, 404, 405],
    });
  const listed = await ask(`referrers/${digest}`);
  const answer =
    listed.status === 200 ? listed : await ask(`manifests/${digest.replace(':', '-')}`);
  if (answer.status !== 200) return { proofs: [], notes: [] };
  const { manifests = [] } = parseOciManifest(answer.body, about, registry.origin);
  const proofs: Proof[] = [];
  for (const each of manifests.slice(0, maxProofs)) {
    const { manifest } = await readManifest(registry, each.digest, about, 1);
    const layer = manifest.layers?.find(({ mediaType }) => bundleType.test(mediaType));
    if (layer === undefined) continue;
    const found = await registry.send({
      path: `blobs/${layer.digest}`,
      what: about,
      maxBytes: maxProofBytes,
    });
    requireDigest(found.body, layer.digest, about, registry);
    const proof = parseProofFile(found.body, `${about}.sigstore.json`);
    proofs.push({ proof, about: 'carrier' });
  }
  const notes =
    manifests.length > maxProofs
      ? [`${what} has ${manifests.length} signatures; the first ${maxProofs} were read`]
      : [];
  return { proofs, notes };
}
