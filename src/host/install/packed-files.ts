import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { once } from '../../lib/memo.ts';
import { sha256 } from '../../lib/sha256.ts';
import { componentFile } from './plugin-record.ts';

/** Beside the files that it is about. */
const stampsFile = 'stamps.json';

/** name of a file -> its digest and what `stat` said of it when it was written */
type Stamps = Readonly<Record<string, { digest: string; stat: string }>>;

/**
 * Notes how the files of a prepared folder look from outside, so that somebody who only wants to
 * know whether they changed need not read them. Nothing is loaded by it.
 *
 * @param digests SHA-256 of each file as it is kept, hex, by its name
 */
export function writeStamps(folder: string, digests: Readonly<Record<string, string>>): void {
  const stamps: Stamps = Object.fromEntries(
    Object.entries(digests).map(([name, digest]) => [
      name,
      { digest, stat: statText(folder, name) },
    ]),
  );
  writeFileSync(join(folder, stampsFile), JSON.stringify(stamps), { mode: 0o600 });
}

/** @returns names of the files that look as they did when they had these digests */
export function unchangedFiles(
  folder: string,
  digests: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  try {
    const stamps = JSON.parse(readFileSync(join(folder, stampsFile), 'utf8')) as Stamps;
    return new Set(
      Object.entries(digests)
        .filter(([name, digest]) => {
          const stamp = Object.hasOwn(stamps, name) ? stamps[name] : undefined;
          return stamp?.digest === digest && stamp.stat === statText(folder, name);
        })
        .map(([name]) => name),
    );
  } catch {
    // Then they are read.
    return new Set();
  }
}

function statText(folder: string, name: string): string {
  const { size, mtimeNs, ino } = statSync(join(folder, name), { bigint: true });
  return [size, mtimeNs, ino].join(' ');
}

/** Ending of a packed file. */
export const packedEnding = '.zst';

/** Smaller files are quicker to read than to unpack. */
const minBytes = 64 * 1024;
/** Bytes of an unpacked file of the store: more than any installed binary has. */
const maxBytes = 128 * 1024 * 1024;
/** Higher levels take seconds, and save a tenth. */
const level = 9;
/** Looks back over a component and its modules together, as log2 of bytes. */
const windowLog = 26;

const coreModule = /^component\.core\d*\.wasm$/;

/**
 * Packs the binaries of a prepared folder, which are most of it. The component is packed as what it
 * has beside its core modules, which lie there too.
 *
 * @param only names of those that are packed; all when absent
 * @returns SHA-256 of each packed file, hex, by the name of the file that it holds
 */
export function packFiles(folder: string, only?: readonly string[]): Record<string, string> {
  const digests: Record<string, string> = {};
  const dictionary = once(() => coreModules(folder));
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.wasm') || only?.includes(name) === false) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (bytes.byteLength < minBytes) continue;
    const packed = zstdCompressSync(bytes, {
      params: {
        [constants.ZSTD_c_compressionLevel]: level,
        ...(name === componentFile ? { [constants.ZSTD_c_windowLog]: windowLog } : {}),
      },
      ...(name === componentFile ? { dictionary: dictionary() } : {}),
    });
    writeFileSync(`${path}${packedEnding}`, packed);
    rmSync(path);
    digests[name] = sha256(packed);
  }
  return digests;
}

/** The content of a packed file that is not the component. */
export function unpack(packed: Uint8Array): Buffer {
  return zstdDecompressSync(packed, { maxOutputLength: maxBytes });
}

/**
 * The content of a folder's packed component; its digest is not checked.
 *
 * @throws when it or a core module beside it has changed
 */
export function unpackComponent(packed: Uint8Array, folder: string): Buffer {
  return zstdDecompressSync(packed, {
    maxOutputLength: maxBytes,
    params: { [constants.ZSTD_d_windowLogMax]: windowLog },
    dictionary: coreModules(folder),
  });
}

/** All core modules of a folder one after the other, packed or not. */
function coreModules(folder: string): Buffer {
  const names = readdirSync(folder).map((name) =>
    name.endsWith(packedEnding) ? name.slice(0, -packedEnding.length) : name,
  );
  const cores = [...new Set(names)].filter((name) => coreModule.test(name)).sort();
  return Buffer.concat(cores.map((name) => readPrepared(folder, name) ?? Buffer.of()));
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
  if (!existsSync(packed)) return undefined;
  const bytes = readFileSync(packed);
  return name === componentFile ? unpackComponent(bytes, folder) : unpack(bytes);
}
