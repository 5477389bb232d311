import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../contracts/store.ts';
import { hashFile } from '../lib/files/read-file.ts';
import { sha256 } from '../lib/sha256.ts';
import { ggufFiles } from './llama/gguf-files.ts';

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
