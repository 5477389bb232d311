import { readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { Store } from '../../contracts/store.ts';
import { hashFile } from '../../lib/files/read-file.ts';
import { sha256 } from '../../lib/sha256.ts';
import { sizeText } from '../../lib/text/amounts.ts';

/** How the parts of a model that was split are called, by llama.cpp. */
const part = /-\d{5}(-of-\d{5}\.gguf)$/i;

/** The file of a model, and where it is one of several parts, the others beside it. */
export function ggufFiles(path: string): { folder: string; files: readonly string[] } {
  const [folder, name] = [dirname(path), basename(path)];
  const found = part.exec(name);
  if (found === null) return { folder, files: [name] };
  const isSibling = (other: string): boolean =>
    other.startsWith(name.slice(0, found.index)) &&
    part.exec(other)?.index === found.index &&
    other.endsWith(found[1] ?? '');
  return { folder, files: readdirSync(folder).filter(isSibling) };
}

/** Share of the memory that the system and other programs keep. */
const keptShare = 0.1;

/**
 * Refuses a model that this machine cannot hold, before anything is read of it.
 *
 * @param memoryBytes of the machine
 * @throws {KernelError} `resource-exhausted`
 */
export function checkMemory(path: string, memoryBytes: number = machineMemory()): void {
  const { folder, files } = ggufFiles(path);
  const bytes = files.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (bytes <= memoryBytes * (1 - keptShare)) return;
  throw new KernelError(
    'resource-exhausted',
    `the model ${path} has ${sizeText(bytes)}, and this machine ${sizeText(memoryBytes)} of memory`,
    {
      hint: 'Use a smaller model, or a smaller file of it: cuervo model pull hf:OWNER/NAME:Q4_K_M',
    },
  );
}

/** The limit of a container counts. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

type Settings = Pick<Store, 'getSetting' | 'setSetting'>;

/**
 * SHA-256 of a model's file, read again only when size, time or number of the file changed: a model
 * of 20 GB takes a minute. That of a split model is over those of its parts.
 */
export async function digestOfFile(path: string, settings: Settings): Promise<string> {
  const { folder, files } = ggufFiles(path);
  const digests: string[] = [];
  for (const name of [...files].sort()) digests.push(await digestOf(join(folder, name), settings));
  const [only] = digests;
  return digests.length === 1 && only !== undefined ? only : sha256(digests.join('\n'));
}

/** Keeps a digest that is known already, as of a file that was just brought. */
export function keepDigest(path: string, digest: string, settings: Settings): void {
  settings.setSetting(keyOf(path), { ...stateOf(path), digest });
}

/** The kept digest, if the file has not changed since. */
export function knownDigest(
  path: string,
  settings: Pick<Settings, 'getSetting'>,
): string | undefined {
  const kept = settings.getSetting(keyOf(path)) as { state?: string; digest?: string } | undefined;
  return kept?.state === stateOf(path).state ? kept.digest : undefined;
}

async function digestOf(path: string, settings: Settings): Promise<string> {
  const known = knownDigest(path, settings);
  if (known !== undefined) return known;
  const before = stateOf(path);
  const digest = (await hashFile(path, 'sha256')).digest('hex');
  // A file that changed meanwhile is not the one that was hashed.
  if (stateOf(path).state === before.state) settings.setSetting(keyOf(path), { ...before, digest });
  return digest;
}

function keyOf(path: string): string {
  return `file-digest:${path}`;
}

function stateOf(path: string): { state: string } {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  const parts = [found?.size, found?.mtimeNs, found?.ctimeNs, found?.ino];
  return { state: parts.map(String).join(':') };
}
