import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { quoteText } from '../../lib/text/escape.ts';
import type { FetchedPlugin } from './fetched-plugin.ts';
import { fault, parseAnswer } from './parse-npm.ts';

export const wasmLayer = 'application/wasm';
export const wasmConfig = 'application/vnd.wasm.config.v0+json';
export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const indexType = 'application/vnd.oci.image.index.v1+json';
const dockerTypes = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
export const acceptedManifests = [manifestType, indexType, ...dockerTypes].join(', ');
export const bundleType = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v|\+json;version=)\d/;

const digest = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/));
const annotations = v.optional(v.record(v.string(), v.string()), {});
const descriptor = v.object({
  mediaType: v.optional(v.string(), ''),
  digest,
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  artifactType: v.optional(v.string()),
  annotations,
  platform: v.optional(
    v.object({ architecture: v.optional(v.string()), os: v.optional(v.string()) }),
  ),
});
export type Descriptor = v.InferOutput<typeof descriptor>;

const manifest = v.object({
  mediaType: v.optional(v.string()),
  artifactType: v.optional(v.string()),
  config: v.optional(descriptor),
  layers: v.optional(v.pipe(v.array(descriptor), v.maxLength(200))),
  manifests: v.optional(v.pipe(v.array(descriptor), v.maxLength(200))),
  annotations,
});
export type OciManifest = v.InferOutput<typeof manifest>;

export function parseOciManifest(bytes: Uint8Array, what: string, from: string): OciManifest {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['layers', 'manifests'], kind: 'manifest' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(manifest, answer, { abortEarly: true });
  if (!parsed.success) {
    const key = quoteText(v.getDotPath(parsed.issues[0]) ?? '', 80);
    throw new KernelError(
      'plugin-fault',
      `${what}: ${from} answered with a manifest that has a wrong ${key}`,
      { hint: 'None of it was kept.' },
    );
  }
  return parsed.output;
}

const token = v.object({ token: v.optional(v.string()), access_token: v.optional(v.string()) });

/** @param from the server that gives tokens for a registry */
export function parseToken(bytes: Uint8Array, what: string, from: string): string {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['token', 'access_token'], kind: 'token' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(token, answer, { abortEarly: true });
  const found = parsed.success ? (parsed.output.token ?? parsed.output.access_token) : undefined;
  if (found !== undefined && /^[\x21-\x7e]+$/.test(found)) return found;
  throw new KernelError('permission-denied', `${what}: ${from} gave a token of no known form`, {
    hint: 'Log in again with: docker login REGISTRY',
  });
}

const proof = v.union([
  v.object({ kind: v.literal('sigstore'), bundle: v.unknown() }),
  v.object({ kind: v.literal('key'), key: v.string(), signature: v.string() }),
]);

const cached = v.object({
  source: v.string(),
  base: v.string(),
  resolved: v.string(),
  version: v.exactOptional(v.string()),
  carrier: v.exactOptional(v.picklist(['npm', 'oci'])),
  proofs: v.array(v.object({ proof, about: v.picklist(['wasm', 'carrier']) })),
});

export function parseCached(
  text: string,
): Omit<FetchedPlugin, 'bytes' | 'carrier' | 'notes'> & { carrier?: 'npm' | 'oci' } {
  return v.parse(cached, JSON.parse(text), { abortEarly: true });
}
