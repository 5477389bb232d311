import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { cacheFolder, guestsFolder, root } from './paths.ts';

export type GuestEngine = 'quickjs' | 'starlingmonkey';

/**
 * The `.wasm` of a guest that is written with the SDK. Building takes seconds, so it is kept
 * under the digest of all that goes into it: the guest, the SDK, the contracts, the lock file.
 */
export async function buildGuest(name: string, engine: GuestEngine = 'quickjs'): Promise<string> {
  const hash = createHash('sha256').update(engine);
  for (const path of [join(guestsFolder, name), join(root, 'sdk'), join(root, 'wit')]) {
    addFolder(hash, path);
  }
  for (const path of [join(guestsFolder, 'attempt.ts'), join(root, 'package-lock.json')]) {
    if (existsSync(path)) hash.update(readFileSync(path));
  }
  const file = join(cacheFolder, `${name}-${hash.digest('hex').slice(0, 24)}.wasm`);
  if (existsSync(file)) return file;
  const { buildPlugin } = await import('../../../sdk/build/build-plugin.ts');
  await buildPlugin({
    folder: join(guestsFolder, name),
    out: file,
    engine,
    sdkFolder: join(root, 'sdk'),
    witFolder: join(root, 'wit'),
  });
  return file;
}

/**
 * Bytes as a file of the cache, for guests that are assembled in no time.
 *
 * @param options.isFolder puts the digest into a folder's name, for guests without a manifest,
 *   which are called like their file
 */
export function keepBytes(
  name: string,
  bytes: Uint8Array,
  options: { isFolder?: boolean } = {},
): string {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
  const base = `${name}${options.isFolder === true ? '/' : '-'}${digest}`;
  const file = join(
    cacheFolder,
    options.isFolder === true ? `${base}/${name}.wasm` : `${base}.wasm`,
  );
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
  return file;
}

function addFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path);
    else hash.update(entry.name).update('\0').update(readFileSync(path));
  }
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

/** A component from `guest.wat` in the folder of a guest: what no toolchain makes. */
export async function watGuest(name: string): Promise<string> {
  const wat = readFileSync(join(guestsFolder, name, 'guest.wat'), 'utf8');
  return keepBytes(name, await parse(wat), { isFolder: true });
}
