import { createHash } from 'node:crypto';
import { KernelError } from '../../contracts/error.ts';
import { digestOf, type OciPorts, openOciRegistry } from '../sources/oci-registry.ts';
import { signatureAnnotation } from '../sources/oci-source.ts';
import { acceptedManifests, manifestType, wasmConfig, wasmLayer } from '../sources/parse-oci.ts';
import type { Publishable } from './parse-package.ts';

/** An artifact as CNCF's TAG Runtime lays down, which `wkg` reads. */
export type OciArtifact = { config: Buffer; manifest: Buffer; digest: string; tags: string[] };

/** @param created of the artifact; the same time gives the same bytes */
export function ociArtifact(plugin: Publishable, created: Date, tag?: string): OciArtifact {
  const { name, version, description, licence, homepage, repository, bytes, beside } = plugin;
  const layer = digestOf(bytes);
  const config = json({
    created: created.toISOString(),
    architecture: 'wasm',
    os: plugin.kind === 'component' ? 'wasip2' : 'wasip1',
    layerDigests: [layer],
    component:
      plugin.kind === 'component'
        ? { exports: plugin.exports, imports: plugin.imports, target: null }
        : null,
  });
  const signature = beside.get(`${name}.wasm.sig`)?.toString('utf8').trim();
  const about = 'org.opencontainers.image';
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: wasmConfig, digest: digestOf(config), size: config.byteLength },
    layers: [
      {
        mediaType: wasmLayer,
        digest: layer,
        size: bytes.byteLength,
        annotations: { [`${about}.title`]: `${name}.wasm` },
      },
    ],
    annotations: {
      [`${about}.title`]: name,
      [`${about}.version`]: version,
      [`${about}.description`]: description,
      [`${about}.created`]: created.toISOString(),
      ...(licence === undefined ? {} : { [`${about}.licenses`]: licence }),
      ...(homepage === undefined ? {} : { [`${about}.url`]: homepage }),
      ...(repository === undefined
        ? {}
        : { [`${about}.source`]: repository.replace(/^git\+|\.git$/g, '') }),
      ...(signature === undefined ? {} : { [signatureAnnotation]: signature }),
    },
  });
  const isRelease = !version.includes('-');
  // A tag cannot contain a plus.
  const versionTag = version.replace('+', '_');
  const tags = [
    ...new Set([versionTag, ...(isRelease ? ['latest'] : []), ...(tag === undefined ? [] : [tag])]),
  ];
  return { config, manifest, digest: digestOf(manifest), tags };
}

/**
 * @throws {KernelError} `conflict` where the version is there with other bytes: who locked it would
 *   find it changed
 */
export async function pushOci(
  plugin: Publishable,
  artifact: OciArtifact,
  target: { registry: string; repository: string; text: string },
  ports: OciPorts,
): Promise<void> {
  const registry = openOciRegistry(target, 'pull,push', ports);
  const what = target.text;
  const [versionTag = ''] = artifact.tags;
  const there = await registry.send({
    path: `manifests/${versionTag}`,
    what,
    maxBytes: 4 * 1024 * 1024,
    accept: acceptedManifests,
    returns: [404],
  });
  const isSame = there.status === 200 && isSamePlugin(there.body, plugin.bytes);
  if (there.status === 200 && !isSame) {
    throw new KernelError(
      'conflict',
      `${target.text}:${versionTag} is already there, with another binary`,
      {
        hint: 'Give it a new version: people may have locked this one, so it must not change.',
      },
    );
  }
  if (isSame) return;
  for (const blob of [artifact.config, plugin.bytes]) {
    const digest = digestOf(blob);
    const found = await registry.send({
      path: `blobs/${digest}`,
      what,
      method: 'HEAD',
      maxBytes: 0,
      returns: [404],
    });
    if (found.status === 200) continue;
    const begun = await registry.send({
      path: 'blobs/uploads/',
      what,
      method: 'POST',
      body: Buffer.alloc(0),
      maxBytes: 1024 * 1024,
      returns: [202],
    });
    const at = URL.parse(begun.headers.location ?? '', begun.url);
    if (at === null || at.origin !== registry.origin) {
      throw new KernelError(
        'unavailable',
        `${what}: ${registry.origin} takes uploads elsewhere, where nothing is sent`,
        { hint: 'Tell the person who runs that registry.' },
      );
    }
    at.searchParams.set('digest', digest);
    await registry.send({
      path: at,
      what,
      method: 'PUT',
      body: blob,
      contentType: 'application/octet-stream',
      maxBytes: 1024 * 1024,
      returns: [201, 204],
    });
  }
  for (const tag of artifact.tags) {
    await registry.send({
      path: `manifests/${tag}`,
      what,
      method: 'PUT',
      body: artifact.manifest,
      contentType: manifestType,
      maxBytes: 1024 * 1024,
      returns: [201],
    });
  }
}

function isSamePlugin(manifest: Buffer, bytes: Buffer): boolean {
  return manifest
    .toString('utf8')
    .includes(`"sha256:${createHash('sha256').update(bytes).digest('hex')}"`);
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
