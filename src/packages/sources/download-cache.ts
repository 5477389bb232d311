import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/files/folders.ts';
import { pluginOfTarball } from './npm-source.ts';
import { wasmOf } from './oci-source.ts';
import { parseCached, parseOciManifest } from './parse-oci.ts';
import type { FetchedPlugin } from './parse-source.ts';

/** Size of all downloads; the oldest goes first. */
const maxCacheBytes = 512 * 1024 * 1024;

/** What was brought from the network, by the digest of its `.wasm`; nothing in it is trusted. */
export type DownloadCache = {
  /** @returns undefined if it is missing, `damaged` if its content changed */
  read(sha256: string): FetchedPlugin | 'damaged' | undefined;
  /** Keeps a plugin; a full disk or a folder that cannot be written only costs the cache. */
  keep(fetched: FetchedPlugin): void;
};

export function openDownloadCache(folder: string, maxPluginBytes: number): DownloadCache {
  return {
    read: (sha256) => {
      const place = join(folder, sha256);
      if (!existsSync(place)) return undefined;
      try {
        const bytes = readFileSync(join(place, 'plugin.wasm'));
        if (digest(bytes) !== sha256) return 'damaged';
        const { carrier: kind, ...rest } = parseCached(
          readFileSync(join(place, 'fetched.json'), 'utf8'),
        );
        const now = new Date();
        touch(place, now);
        if (kind === undefined) return { ...rest, bytes, notes: [] };
        const carrier = { kind, bytes: readFileSync(join(place, 'carrier')) };
        if (carriedBy(carrier, maxPluginBytes) !== sha256) return 'damaged';
        return { ...rest, bytes, carrier, notes: [] };
      } catch {
        // Any damage has the same cure: it is fetched again.
        return 'damaged';
      }
    },
    keep: (fetched) => {
      try {
        keepIn(folder, fetched);
        prune(folder);
      } catch {
        // Ignored: a plugin can be installed without a cache.
      }
    },
  };
}

/** The digest of the `.wasm` that a tarball holds or a manifest names. */
function carriedBy(
  { kind, bytes }: { kind: 'npm' | 'oci'; bytes: Buffer },
  maxBytes: number,
): string {
  if (kind === 'npm') return digest(pluginOfTarball(bytes, 'a package', maxBytes).bytes);
  const layer = wasmOf(parseOciManifest(bytes, 'an artifact', 'the cache'), 'an artifact');
  return layer.digest.slice('sha256:'.length);
}

function keepIn(folder: string, { bytes, carrier, notes: _, ...rest }: FetchedPlugin): void {
  makeFolder(folder);
  const partial = mkdtempSync(join(folder, '.partial-'));
  try {
    writeFileSync(join(partial, 'plugin.wasm'), bytes, { mode: 0o600 });
    if (carrier !== undefined)
      writeFileSync(join(partial, 'carrier'), carrier.bytes, { mode: 0o600 });
    const about = { ...rest, ...(carrier === undefined ? {} : { carrier: carrier.kind }) };
    writeFileSync(join(partial, 'fetched.json'), `${JSON.stringify(about)}\n`, { mode: 0o600 });
    const place = join(folder, digest(bytes));
    rmSync(place, { recursive: true, force: true });
    renameSync(partial, place);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function prune(folder: string): void {
  const kept = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .map((name) => {
      const place = join(folder, name);
      const bytes = readdirSync(place).reduce(
        (sum, file) => sum + statSync(join(place, file)).size,
        0,
      );
      return { place, bytes, usedMs: statSync(place).mtimeMs };
    })
    .toSorted((one, other) => other.usedMs - one.usedMs);
  let total = 0;
  for (const { place, bytes } of kept) {
    total += bytes;
    if (total > maxCacheBytes) rmSync(place, { recursive: true, force: true });
  }
}

function touch(place: string, now: Date): void {
  try {
    utimesSync(place, now, now);
  } catch {
    // Ignored: another user's cache, or a read-only one.
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
