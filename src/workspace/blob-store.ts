import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
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
