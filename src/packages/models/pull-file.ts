import { createHash } from 'node:crypto';
import { fsyncSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KernelError } from '../../contracts/error.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { lockFile } from '../../lib/files/lock-file.ts';
import { hashFile, readTextIfPresent } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import type { BodySink, WebClient, WebRequest } from '../sources/web-client.ts';
import { diskFull } from '../sources/web-errors.ts';
import type { ModelFile } from './find-model-files.ts';

/** Limit for a file of unknown size. */
const maxUnknownBytes = 1024 ** 4;
/** A download that is slower than this is given up, but not before ten minutes. */
const slowestBytesPerSecond = 16 * 1024;
const leastMs = 600_000;
/** A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1;
/** The most tries in a row that bring no bytes. */
const maxIdleTries = 3;
const firstWaitMs = 1_000;

export type PullOptions = Pick<WebRequest, 'headers' | 'login'> & {
  web: WebClient;
  signal: AbortSignal;
  /** @param bytes of the file that are there */
  onProgress(bytes: number): void;
  /** told before the next try */
  onCut(message: string): void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** What is kept about a partial file, to check that the rest belongs to it. */
type Mark = { url: string; sha256?: string; etag?: string };

/** Bytes of a file that an interrupted try left. */
export function pulledBytes(path: string): number {
  return statSync(`${path}.part`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Downloads a file and resumes it after a cut: within one call as long as each try adds bytes, and
 * in the next call. The present part counts only if the server's mark, or the SHA-256, says that it
 * belongs to the same file.
 *
 * @param path of the file; it exists only when it is complete and right
 * @returns its SHA-256
 * @throws {KernelError} `conflict` for another SHA-256 than expected, and then nothing is kept;
 *   `unavailable` when the rest does not come
 */
export async function pullFile(
  file: ModelFile,
  path: string,
  options: PullOptions,
): Promise<string> {
  const { signal, onCut, wait = waitFor } = options;
  makeFolder(dirname(path));
  using _lock = lockFile(`${path}.lock`, { what: `the download of ${file.name}` });
  await using target = await openTarget(file, path, options);
  for (let idle = 0; ; ) {
    const before = target.bytes();
    try {
      await request(file, target, options);
      return target.finish();
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      if (error.code !== 'unavailable') throw error;
      idle = target.bytes() > before ? 0 : idle + 1;
      if (idle >= maxIdleTries) throw ofRest(error, target.bytes());
      onCut(`${error.message}; it goes on at byte ${target.bytes()}`);
      if (idle > 0) await wait(firstWaitMs * 2 ** (idle - 1), signal);
    }
  }
}

/** Adds to an error that the next try resumes the partial file. */
function ofRest(error: KernelError, bytes: number): KernelError {
  if (bytes === 0) return error;
  const hint = `Run the same command again: it goes on at byte ${bytes}. ${error.hint ?? ''}`;
  return new KernelError(error.code, error.message, { cause: error, hint: hint.trim() });
}

async function request(file: ModelFile, target: Target, options: PullOptions): Promise<void> {
  const { web, signal, headers, login } = options;
  if (file.bytes !== undefined && target.bytes() === file.bytes) return;
  await web.send({
    url: file.url,
    what: file.name,
    maxBytes: file.bytes ?? maxUnknownBytes,
    maxMs: longestMs(file.bytes ?? maxUnknownBytes),
    signal,
    sink: target,
    ...(headers === undefined ? {} : { headers }),
    ...(login === undefined ? {} : { login }),
  });
  const bytes = target.bytes();
  if (file.bytes !== undefined && bytes !== file.bytes) {
    const message = `${file.name}: ${file.url.origin} sent ${bytes} of ${file.bytes} bytes`;
    throw new KernelError('unavailable', message, { hint: 'Try again: what came is kept.' });
  }
}

/** The time for a download, in whole ms, no more than one timer can wait. */
function longestMs(bytes: number): number {
  const ms = Math.ceil((bytes / slowestBytesPerSecond) * 1_000);
  return Math.min(Math.max(leastMs, ms), maxTimerMs);
}

type Target = BodySink & AsyncDisposable & { bytes(): number; finish(): string };

async function openTarget(
  file: ModelFile,
  path: string,
  { onProgress }: PullOptions,
): Promise<Target> {
  const [partPath, markPath] = [`${path}.part`, `${path}.mark`];
  const known = readMark(markPath);
  const isSame = (mark: Mark | undefined): boolean =>
    file.sha256 !== undefined
      ? mark?.sha256 === file.sha256
      : mark?.etag !== undefined && mark.url === file.url.href;
  if (!isSame(known)) for (const old of [partPath, markPath]) rmSync(old, { force: true });
  let mark = isSame(known) ? known : undefined;
  const handle = await openPart(partPath);
  let size = (await handle.stat()).size;
  let hash = await hashFile(partPath, 'sha256', size);
  onProgress(size);

  return {
    bytes: () => size,
    headers: () => {
      if (size === 0) return {};
      const range = { range: `bytes=${size}-` };
      return mark?.etag === undefined ? range : { ...range, 'if-range': mark.etag };
    },
    begin: async (from, { etag }) => {
      if (from !== 0 && from !== size) {
        throw new KernelError(
          'unavailable',
          `${file.name}: ${file.url.origin} gave byte ${from} on in place of byte ${size} on`,
          { hint: 'Try again later.' },
        );
      }
      if (from === 0 && size > 0) {
        await handle.truncate(0);
        size = 0;
        hash = createHash('sha256');
      }
      // Only a strong ETag shows that the rest belongs to the same file.
      const strong = etag?.startsWith('"') === true ? etag : undefined;
      mark = {
        url: file.url.href,
        ...(file.sha256 === undefined ? {} : { sha256: file.sha256 }),
        ...(strong === undefined ? {} : { etag: strong }),
      };
      writeFileWhole(markPath, JSON.stringify(mark), { flush: false });
    },
    add: async (piece) => {
      await write(handle, piece, size);
      hash.update(piece);
      size += piece.byteLength;
      onProgress(size);
    },
    finish: () => {
      const found = hash.digest('hex');
      if (file.sha256 !== undefined && found !== file.sha256) {
        for (const old of [partPath, markPath]) rmSync(old, { force: true });
        throw new KernelError(
          'conflict',
          `${file.name}: what came has the SHA-256 ${found.slice(0, 12)}…, and ${file.sha256.slice(0, 12)}… was said`,
          { hint: 'Nothing of it was kept. Try again, or take it from another address.' },
        );
      }
      fsyncSync(handle.fd);
      renameSync(partPath, path);
      rmSync(markPath, { force: true });
      return found;
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function write(handle: FileHandle, piece: Buffer, at: number): Promise<void> {
  try {
    for (let done = 0; done < piece.byteLength; ) {
      const { bytesWritten } = await handle.write(piece, done, undefined, at + done);
      done += bytesWritten;
    }
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(thrown);
    throw KernelError.from(thrown, 'internal');
  }
}

async function openPart(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    return await open(path, 'wx+', 0o600);
  }
}

function readMark(path: string): Mark | undefined {
  try {
    return JSON.parse(readTextIfPresent(path) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}
