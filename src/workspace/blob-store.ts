import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { sha256 } from '../lib/sha256.ts';

/** SHA-256, hex. */
export const isHash = /^[0-9a-f]{64}$/;

/** Bytes by their SHA-256, each a file of mode 0600. */
export type BlobStore = {
  /** @returns SHA-256, hex; bytes that are there already are not written again */
  keep(bytes: Uint8Array, options?: { flush?: boolean }): string;
  /** Hashes of all that is kept now. */
  kept(): ReadonlySet<string>;
  /** @throws {KernelError} `not-found`; `unavailable` when the bytes are not those of the hash */
  read(hash: string): Uint8Array;
};

/**
 * @param folder made by the first `keep`, mode 0700
 * @throws {KernelError} from both methods: `resource-exhausted` when the disk is full,
 *   `unavailable` when the folder cannot be used
 */
export function createBlobStore(folder: string): BlobStore {
  let isMade = false;
  return {
    keep: (bytes, { flush = true } = {}) => {
      const hash = sha256(bytes);
      const path = join(folder, hash);
      try {
        // A file of another size is damaged; it is written again.
        if (lstatSync(path, { throwIfNoEntry: false })?.size === bytes.byteLength) return hash;
        if (!isMade) mkdirSync(folder, { recursive: true, mode: 0o700 });
        isMade = true;
        writeFileWhole(path, bytes, { mode: 0o600, flush });
        return hash;
      } catch (thrown) {
        throw toBlobError(thrown, folder);
      }
    },
    kept: () => {
      try {
        return new Set(readdirSync(folder).filter((name) => isHash.test(name)));
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
        throw toBlobError(thrown, folder);
      }
    },
    read: (hash) => {
      if (!isHash.test(hash)) {
        throw new KernelError('invalid-argument', `"${hash}" is not a SHA-256`);
      }
      const bytes = readBlob(folder, hash);
      if (sha256(bytes) === hash) return bytes;
      throw new KernelError('unavailable', `the blob ${hash} was changed on the disk`);
    },
  };
}

function readBlob(folder: string, hash: string): Uint8Array {
  try {
    return readFileSync(join(folder, hash));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw toBlobError(thrown, folder);
    throw new KernelError('not-found', `there is no blob ${hash}`, { cause: thrown });
  }
}

function toBlobError(thrown: unknown, folder: string): KernelError {
  const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error';
  return /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code)
    ? new KernelError(
        'resource-exhausted',
        `${folder} cannot grow: the disk is full, or a limit of its user is reached (${code})`,
        {
          cause: thrown,
          hint: 'Free some space, or set CUERVO_HOME to a folder on another disk.',
        },
      )
    : new KernelError('unavailable', `${folder} cannot be used: ${code}`, {
        cause: thrown,
        hint: 'Check what it is and its permissions, or set CUERVO_HOME to another folder.',
      });
}

/** The runs that pre-images are kept for. */
export type BlobRuns = {
  /** Hashes that each run needs to be taken back, newest run first. */
  hashesByRun(): Iterable<readonly string[]>;
};

export type Pruned = {
  /** bytes that were freed */
  bytes: number;
  files: number;
  /** bytes of what is kept still */
  keptBytes: number;
};

/** Runs whose pre-images are kept whatever the quota. */
const safeRuns = 20;
/** A file being written is at most this old. An older part was left by a crash. */
const strayAgeMs = 60 * 60 * 1000;

/**
 * Brings a folder of pre-images below its quota: first what no run needs, oldest first, then what
 * only older runs need. Those of the newest 20 runs stay. Parts that a crash left go always. A young
 * blob that no run needs neither goes nor counts: a program may be running whose row is not written
 * yet.
 *
 * @param options.maxBytes of all blobs together
 * @param options.nowMs ms since the epoch
 */
export function pruneBlobs(
  folder: string,
  runs: BlobRuns,
  options: { maxBytes: number; nowMs: number },
): Pruned {
  const found = list(folder);
  const pruned = { bytes: 0, files: 0, keptBytes: 0 };
  const remove = ({ name, size }: Found): void => {
    rmSync(join(folder, name), { force: true });
    pruned.bytes += size;
    pruned.files += 1;
  };
  const blobs = found.filter(({ name }) => isHash.test(name));
  for (const each of found) {
    if (each.name.endsWith('.part') && each.mtimeMs < options.nowMs - strayAgeMs) remove(each);
  }
  pruned.keptBytes = blobs.reduce((sum, { size }) => sum + size, 0);
  if (pruned.keptBytes <= options.maxBytes) return pruned;
  const ranks = ranksOf(runs);
  const rankOf = ({ name }: Found): number => ranks.get(name) ?? Number.POSITIVE_INFINITY;
  const isYoung = ({ name, mtimeMs }: Found): boolean =>
    mtimeMs > options.nowMs - strayAgeMs && !ranks.has(name);
  const young = blobs.filter(isYoung).reduce((sum, { size }) => sum + size, 0);
  const order = blobs.toSorted(
    (one, other) => rankOf(other) - rankOf(one) || one.mtimeMs - other.mtimeMs,
  );
  for (const each of order) {
    if (pruned.keptBytes - young <= options.maxBytes || rankOf(each) < safeRuns) break;
    if (isYoung(each)) continue;
    remove(each);
    pruned.keptBytes -= each.size;
  }
  return pruned;
}

/**
 * Removes all blobs that no row names, but young ones while a run goes on: its row is not written yet.
 */
export function dropUnnamed(
  folder: string,
  { hashes, isRunning }: { hashes: ReadonlySet<string>; isRunning: boolean },
): void {
  for (const { name, mtimeMs } of list(folder)) {
    if (hashes.has(name) || (isRunning && mtimeMs > Date.now() - strayAgeMs)) continue;
    rmSync(join(folder, name), { force: true });
  }
}

/** Hash -> how many runs are newer than the newest that needs it. */
function ranksOf(runs: BlobRuns): Map<string, number> {
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const hashes of runs.hashesByRun()) {
    for (const hash of hashes) if (!ranks.has(hash)) ranks.set(hash, rank);
    rank += 1;
  }
  return ranks;
}

type Found = { name: string; size: number; mtimeMs: number };

function list(folder: string): Found[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // No blob was ever kept.
    return [];
  }
  return names.flatMap((name) => {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() ? [{ name, size: stats.size, mtimeMs: stats.mtimeMs }] : [];
  });
}
