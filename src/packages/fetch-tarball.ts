import { renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import fetch from 'npm-registry-fetch';
import { KernelError, reasonOf } from '../contracts/error.ts';
import { hashFile } from '../lib/files/read-file.ts';
import type { LockedPackage } from '../lib/parts/part-lock.ts';
import type { RegistryOptions } from './registry.ts';
import { diskFull } from './sources/web-errors.ts';

export type FetchOptions = {
  registry: RegistryOptions;
  signal: AbortSignal;
  /** of this file, for each piece that came */
  onBytes(count: number): void;
};

/**
 * Downloads the tarball of a package into a file, which exists only when it is complete and the
 * locked one. It resumes an earlier try.
 *
 * @param path of the file; `path.part` during the download
 * @throws {KernelError} `unavailable` without a registry that gives it, `plugin-fault` for other
 *   bytes, `resource-exhausted` for a full disk
 */
export async function fetchTarball(
  wanted: LockedPackage,
  path: string,
  options: FetchOptions,
): Promise<void> {
  if (await isWhole(path, wanted)) return options.onBytes(wanted.bytes);
  const partial = `${path}.part`;
  const had = sizeOf(partial);
  const isBegun = had > 0 && had < wanted.bytes;
  await download(wanted, partial, isBegun ? had : 0, options);
  if (!(await isWhole(partial, wanted)) && isBegun) {
    // Start anew: the earlier half may be of another file.
    await download(wanted, partial, 0, options);
  }
  if (!(await isWhole(partial, wanted))) {
    const got = sizeOf(partial);
    rmSync(partial, { force: true });
    throw otherBytes(wanted, got, registryOf(wanted, options.registry));
  }
  renameSync(partial, path);
}

/** Whether a file is the locked tarball. */
export async function isWhole(path: string, { integrity, bytes }: LockedPackage): Promise<boolean> {
  if (sizeOf(path) !== bytes) return false;
  const hash = await hashFile(path, 'sha512');
  return `sha512-${hash.digest('base64')}` === integrity;
}

function otherBytes(
  { name, version, bytes }: LockedPackage,
  got: number,
  from: string,
): KernelError {
  const size = got === bytes ? 'other bytes' : `${got} bytes in place of ${bytes}`;
  const message = `${from} gave ${size} as ${name} ${version}: not the package that cuervo was tested with`;
  return new KernelError('plugin-fault', message, {
    hint: 'None of it was kept. Try another registry: npm_config_registry=https://registry.npmjs.org/ cuervo add …',
  });
}

async function download(
  wanted: LockedPackage,
  partial: string,
  from: number,
  { registry, signal, onBytes }: FetchOptions,
): Promise<void> {
  const { name, version, bytes } = wanted;
  const stalled = new AbortController();
  const idleMs = Number(registry.timeout ?? 300_000);
  const timer = setTimeout(() => stalled.abort(), idleMs);
  try {
    const response = await fetch(tarballPath(wanted), {
      ...registry,
      // No cache: it would hold the same bytes again.
      cache: undefined,
      // npm waits 10 s and then 100 s between tries: with a wrong proxy the error would come after
      // more than a minute.
      retry: { ...(registry.retry as object | undefined), minTimeout: 500 },
      spec: `${name}@${version}`,
      signal: AbortSignal.any([signal, stalled.signal]),
      ...(from > 0 ? { headers: { range: `bytes=${from}-` } } : {}),
    } as never);
    const isContinued = response.status === 206;
    let got = isContinued ? from : 0;
    if (isContinued) onBytes(from);
    // One piece after the other, so that what came before a cut is kept.
    await using file = await open(partial, isContinued ? 'a' : 'w', 0o600);
    for await (const piece of response.body as AsyncIterable<Buffer>) {
      timer.refresh();
      got += piece.length;
      // Stop a registry that sends without an end before it fills the disk.
      if (got > bytes) throw otherBytes(wanted, got, registryOf(wanted, registry));
      await file.appendFile(piece);
      onBytes(piece.length);
    }
  } catch (thrown) {
    if (thrown instanceof KernelError) rmSync(partial, { force: true });
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    throw failed(thrown, wanted, registryOf(wanted, registry), {
      isStalled: stalled.signal.aborted,
      idleMs,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** As all registries name the tarballs of a package. */
function tarballPath({ name, version }: LockedPackage): string {
  return `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

function registryOf({ name }: LockedPackage, options: RegistryOptions): string {
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined;
  const found = (scope && options[`${scope}:registry`]) ?? options.registry;
  return hideSecret(String(found ?? 'https://registry.npmjs.org/'));
}

/** A password may stand in an address. */
function hideSecret(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//');
}

function failed(
  thrown: unknown,
  { name, version }: LockedPackage,
  registry: string,
  { isStalled, idleMs }: { isStalled: boolean; idleMs: number },
): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const { code, type, statusCode } = thrown as Partial<Record<'code' | 'type', string>> & {
    statusCode?: number;
  };
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(thrown);
  const what = `${name} ${version} could not be downloaded from ${registry}`;
  // The library's own time limits count as late, too.
  const isLate = isStalled || /timeout/i.test(`${type} ${code}`);
  const why = isLate
    ? `no data came for ${idleMs / 1000} s`
    : statusCode !== undefined
      ? `it answered ${statusCode}`
      : hideSecret(reasonOf(thrown)).replace(/\s+/g, ' ').slice(0, 200);
  const hint =
    statusCode === 404
      ? 'Name a registry that has it: npm_config_registry=https://registry.npmjs.org/ cuervo add …'
      : 'Try again: the part that arrived is kept. A proxy is taken from HTTPS_PROXY, a registry from ~/.npmrc; without a network use --from DIR.';
  return new KernelError('unavailable', `${what}: ${why}`, { cause: thrown, hint });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
