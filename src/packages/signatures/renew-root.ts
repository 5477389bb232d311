import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseFetcher, Updater } from 'tuf-js';
import { DownloadHTTPError } from 'tuf-js/dist/error.js';
import { KernelError } from '../../contracts/error.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import type { WebClient } from '../sources/web-client.ts';
import { checkRoot } from './verify-proofs.ts';

const repository = 'https://tuf-repo-cdn.sigstore.dev';
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Brings the trusted root of the public Sigstore, by The Update Framework: signed by the keys that
 * the shipped root names, and no older than the last one.
 *
 * @param options.seed root of The Update Framework that ships
 * @param options.folder of its state, below the home
 * @param options.path where the trusted root is to lie
 * @returns whether it changed
 */
export async function renewRoot(options: {
  seed: string;
  folder: string;
  path: string;
  web: WebClient;
  signal: AbortSignal;
  /** another repository than the public one */
  from?: string;
}): Promise<boolean> {
  const { seed, folder, path, web, signal, from = repository } = options;
  makeFolder(join(folder, 'targets'));
  if (!existsSync(join(folder, 'root.json'))) copyFileSync(seed, join(folder, 'root.json'));
  const fetcher = new CheckedFetcher(web, signal);
  const updater = new Updater({
    metadataDir: folder,
    metadataBaseUrl: from,
    targetDir: join(folder, 'targets'),
    targetBaseUrl: `${from}/targets`,
    fetcher,
  });
  let text: string;
  try {
    await updater.refresh();
    const target = await updater.getTargetInfo('trusted_root.json');
    if (target === undefined) throw new Error('it names no trusted_root.json');
    const found =
      (await updater.findCachedTarget(target)) ?? (await updater.downloadTarget(target));
    text = readFileSync(found, 'utf8');
  } catch (thrown) {
    if (fetcher.failed !== undefined) throw fetcher.failed;
    const why = thrown instanceof Error ? thrown.message.slice(0, 200) : '';
    throw new KernelError('plugin-fault', `the trusted root of ${from} is refused: ${why}`, {
      cause: thrown,
      hint: 'The present one stays in use.',
    });
  }
  checkRoot(text, from);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  writeFileWhole(path, text, { mode: 0o600 });
  return true;
}

/** Makes the library use our client, which checks addresses, sizes and redirects. */
class CheckedFetcher extends BaseFetcher {
  readonly #web: WebClient;
  readonly #signal: AbortSignal;
  /** the network's error, which the library hides */
  failed: KernelError | undefined;

  constructor(web: WebClient, signal: AbortSignal) {
    super();
    this.#web = web;
    this.#signal = signal;
  }

  override async fetch(address: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const url = new URL(address);
    const what = "Sigstore's trusted root";
    const request = { url, what, maxBytes: maxFileBytes, signal: this.#signal, returns: [404] };
    const answer = await this.#web.send(request).catch((thrown: unknown) => {
      this.failed = KernelError.from(thrown, 'unavailable');
      throw thrown;
    });
    // A root after the newest one is not there, which is how the library finds the newest.
    if (answer.status === 404) throw new DownloadHTTPError(`${address} is not there`, 404);
    return new Blob([new Uint8Array(answer.body)]).stream() as ReadableStream<
      Uint8Array<ArrayBuffer>
    >;
  }
}
