import { createHash, type Hash, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type {
  KeptOutputs,
  OutputOwner,
  OutputReader,
  OutputSink,
  OutputStream,
} from '../contracts/kept-outputs.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { isHash } from './blob-store.ts';

export type OutputLimits = {
  /** of both outputs of one program together */
  programBytes: number;
  /** of all that is kept, the oldest makes room; part of the quota of all blobs */
  allBytes: number;
};

const defaultOutputLimits: OutputLimits = {
  programBytes: 64 * 1024 * 1024,
  allBytes: 256 * 1024 * 1024,
};

type Part = { path: string; file: number; hash: Hash; bytes: number; isCut: boolean };

/**
 * Keeps what programs print beside the pre-images, by its hash, written as it comes: no output has
 * to fit into memory.
 *
 * @param ports.blobs folder, `CUERVO_HOME/blobs`
 * @param ports.project absolute path of the workspace whose runs may read them
 */
export function createOutputKeeper(ports: {
  blobs: string;
  project: string;
  rows: KeptOutputs;
  clock: Clock;
  limits?: OutputLimits;
}): OutputReader & { open(owner: OutputOwner): OutputSink } {
  const { blobs, project, rows, clock, limits = defaultOutputLimits } = ports;
  return {
    open: (owner) => {
      const parts = new Map<OutputStream, Part>();
      let left = limits.programBytes;
      let isBroken = false;
      const drop = (): void => {
        isBroken = true;
        for (const { path, file } of parts.values()) {
          closeSync(file);
          rmSync(path, { force: true });
        }
        parts.clear();
      };
      return {
        write: (stream, chunk) => {
          if (isBroken || chunk.byteLength === 0) return;
          try {
            const part = parts.get(stream) ?? openPart(blobs);
            parts.set(stream, part);
            const taken = chunk.subarray(0, left);
            if (taken.byteLength < chunk.byteLength) part.isCut = true;
            writeAll(part.file, taken);
            part.hash.update(taken);
            part.bytes += taken.byteLength;
            left -= taken.byteLength;
          } catch {
            // A full disk is not a failure of the program; what it printed is then not kept.
            drop();
          }
        },
        end: () => {
          try {
            for (const [stream, { path, file, hash, bytes, isCut }] of parts) {
              closeSync(file);
              parts.delete(stream);
              const name = hash.digest('hex');
              renameSync(path, join(blobs, name));
              rows.add({ ...owner, stream, hash: name, bytes, isCut, ts: clock.nowMs() });
            }
            for (const hash of rows.trim(limits.allBytes))
              rmSync(join(blobs, hash), { force: true });
          } catch {
            drop();
          }
        },
      };
    },
    list: rows.ofStep,
    read: (plugin, hash, offset, length) => {
      if (!isHash.test(hash) || !rows.isOf(plugin, project, hash)) return undefined;
      return readPart(join(blobs, hash), offset, length);
    },
  };
}

/** One that a crash left is removed with other parts of blobs. */
function openPart(folder: string): Part {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomBytes(8).toString('hex')}.part`);
  const file = openSync(path, 'wx', 0o600);
  return { path, file, hash: createHash('sha256'), bytes: 0, isCut: false };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at);
}

/** Fewer bytes at the end, none after it; undefined when the blob was pruned. */
function readPart(path: string, offset: number, length: number): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  } finally {
    closeSync(file);
  }
}
