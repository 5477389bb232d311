import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sha256 } from '../../lib/sha256.ts';

/** Behind the name of a file that is kept packed. */
export const packedEnding = '.zst';

/** Smaller files are quicker to read than to unpack. */
const minBytes = 64 * 1024;
/** Of a file of the store, unpacked: more than any binary that is installed. */
const maxBytes = 128 * 1024 * 1024;
/** Higher levels take seconds, and save a tenth. */
const level = 9;

/**
 * Packs the binaries of a prepared folder, which are most of it.
 *
 * @param only names of those that are packed; all when absent
 * @returns SHA-256 of each packed file, hex, by the name of the file that it holds
 */
export function packFiles(folder: string, only?: readonly string[]): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.wasm') || only?.includes(name) === false) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (bytes.byteLength < minBytes) continue;
    const packed = zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: level },
    });
    writeFileSync(`${path}${packedEnding}`, packed);
    rmSync(path);
    digests[name] = sha256(packed);
  }
  return digests;
}

/** What a packed file holds. */
export function unpack(packed: Uint8Array): Buffer {
  return zstdDecompressSync(packed, { maxOutputLength: maxBytes });
}

/**
 * A file of a prepared folder, packed or not; its digest is not checked.
 *
 * @returns undefined where it is missing
 */
export function readPrepared(folder: string, name: string): Buffer | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return readFileSync(path);
  const packed = `${path}${packedEnding}`;
  return existsSync(packed) ? unpack(readFileSync(packed)) : undefined;
}
