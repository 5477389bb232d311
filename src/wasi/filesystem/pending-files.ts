import { sha256 } from '../../lib/sha256.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { wasiLimits } from '../gate-ports.ts';
import { LimitReached } from './error-code.ts';
import { type Place, pathOf } from './reach-place.ts';

/** Bytes of a file on their way to the disk. Every method throws `WasiFailure`. */
export type PendingBytes = {
  size(): number;
  /** a copy; shorter than asked at the end */
  read(offset: number, length: number): Uint8Array;
  write(offset: number, bytes: Uint8Array): void;
  setSize(size: number): void;
  /** not copied; good until the next write */
  all(): Uint8Array;
  /** bytes that are held, of all that were reserved */
  room(): number;
};

/**
 * @param reserve gets the bytes by which the room grows; throws when that is too much
 * @param onCut told why, before a write or a size that is too much fails
 */
function createPendingBytes(
  initial: Uint8Array,
  reserve: (bytes: number) => void,
  onCut: (text: string) => void,
): PendingBytes {
  reserve(initial.length);
  let room = new Uint8Array(initial);
  let size = initial.length;

  function grow(needed: number): void {
    try {
      makeRoom(needed);
    } catch (thrown) {
      if (thrown instanceof LimitReached) onCut(thrown.message);
      throw thrown;
    }
  }

  /** For `needed` bytes, all behind the size being zero. */
  function makeRoom(needed: number): void {
    if (needed > wasiLimits.fileBytes) throw fileTooLarge(needed);
    if (needed <= room.length) return;
    const wanted = Math.min(wasiLimits.fileBytes, Math.max(needed, 2 * room.length, 4096));
    reserve(wanted - room.length);
    const larger = new Uint8Array(wanted);
    larger.set(room.subarray(0, size));
    room = larger;
  }

  return {
    size: () => size,
    read: (offset, length) => room.slice(Math.min(offset, size), Math.min(offset + length, size)),
    write: (offset, bytes) => {
      if (bytes.length === 0) return;
      grow(offset + bytes.length);
      room.set(bytes, offset);
      size = Math.max(size, offset + bytes.length);
    },
    setSize: (next) => {
      grow(next);
      if (next < size) room.fill(0, next, size);
      size = next;
    },
    all: () => room.subarray(0, size),
    room: () => room.length,
  };
}

/** Memory holds what is written, and the kernel gets it as a whole. */
export function fileTooLarge(bytes: number): LimitReached {
  const text = `a file of ${bytes} bytes, limit ${wasiLimits.fileBytes} for one that is written`;
  return new LimitReached('file-too-large', text);
}

/** A file that a guest has open for writing; shared by all who opened that path. */
export type PendingFile = {
  place: Place;
  bytes: PendingBytes;
  /** differs from what the kernel was handed, or found on the disk, last */
  dirty: boolean;
  /** SHA-256 of what is on the disk, as far as it was seen */
  hash: string | undefined;
  /** when it was changed last, in ns since the epoch */
  changedNs: bigint;
  /** its identity among files while the call runs */
  identity: string;
  /** descriptors and streams */
  users: number;
  /** removed, replaced or refused: what is written to it goes nowhere */
  detached: boolean;
};

export type PendingFiles = {
  find(place: Place): PendingFile | undefined;
  /**
   * @param before what is on the disk; undefined for an empty file that is to be written
   * @param known of the file on the disk, where there is one
   */
  open(
    place: Place,
    before: Uint8Array | undefined,
    known: Partial<Pick<PendingFile, 'identity' | 'changedNs'>>,
  ): PendingFile;
  /** Notes that its bytes are others than those on the disk. */
  change(file: PendingFile): void;
  /** The last user who lets go has it written. */
  release(file: PendingFile): void;
  /** Writes the file, when it is dirty. Throws `HostFailure`. */
  save(file: PendingFile): void;
  /** Writes all that is dirty, before something looks at the disk. Throws `HostFailure`. */
  saveAll(): void;
  detach(file: PendingFile): void;
  move(file: PendingFile, to: Place): void;
  /** @param keep false forgets what is not written; @returns why anything was lost */
  end(keep: boolean): HostFailure['payload'][];
};

/**
 * Files between a guest, which writes them piece by piece, and the kernel, which takes whole
 * ones: each is kept in memory and replaced in one step when it is synced or closed by its
 * last user, before a function looks at the directory, and at the end of the call. A guest
 * that traps in between leaves the old file, whole.
 */
export function createPendingFiles(ports: {
  askKernel(call: string, args: readonly unknown[]): unknown;
  /** A file stands on the disk anew, as another one to the system. */
  replaced(file: PendingFile): void;
}): PendingFiles {
  const files = new Map<string, PendingFile>();
  let lost: HostFailure['payload'][] = [];
  let reserved = 0;
  let made = 0;

  function reserve(bytes: number): void {
    if (reserved + bytes > wasiLimits.pendingBytes) {
      const text = `more than ${wasiLimits.pendingBytes} bytes in files that are being written`;
      throw new LimitReached('insufficient-memory', text);
    }
    reserved += bytes;
  }

  function save(file: PendingFile): void {
    if (!file.dirty || file.detached) return;
    const bytes = file.bytes.all();
    ports.askKernel('fs-write.write-bytes', [pathOf(file.place), bytes, file.hash]);
    file.dirty = false;
    file.hash = sha256(bytes);
    ports.replaced(file);
  }

  /** Saves a file whose call has ended: no caller is left to tell of an error. */
  function saveAtLast(file: PendingFile): void {
    try {
      save(file);
    } catch (thrown) {
      if (!(thrown instanceof HostFailure)) throw thrown;
      lost.push(thrown.payload);
    }
  }

  function detach(file: PendingFile): void {
    file.detached = true;
    if (files.get(pathOf(file.place)) === file) files.delete(pathOf(file.place));
  }

  return {
    find: (place) => files.get(pathOf(place)),
    open: (place, before, known) => {
      made += 1;
      // Half of what a guest wrote is no file, whatever it makes of the error.
      const onCut = (text: string): void => {
        if (!file.detached) lost.push({ tag: 'limit', val: `${pathOf(file.place)}: ${text}` });
        detach(file);
      };
      const bytes = createPendingBytes(before ?? new Uint8Array(), reserve, onCut);
      const file: PendingFile = {
        place,
        bytes,
        dirty: before === undefined,
        hash: before && sha256(before),
        changedNs: (before && known.changedNs) ?? nowNs(),
        identity: known.identity ?? `made ${made}`,
        users: 0,
        detached: false,
      };
      files.set(pathOf(place), file);
      return file;
    },
    release: (file) => {
      file.users -= 1;
      if (file.users > 0) return;
      saveAtLast(file);
      detach(file);
      reserved = Math.max(0, reserved - file.bytes.room());
    },
    change: (file) => {
      file.dirty = true;
      file.changedNs = nowNs();
    },
    save,
    saveAll: () => {
      for (const file of files.values()) save(file);
    },
    detach,
    move: (file, to) => {
      files.delete(pathOf(file.place));
      file.place = to;
      files.set(pathOf(to), file);
    },
    end: (keep) => {
      if (keep) for (const file of files.values()) saveAtLast(file);
      for (const file of files.values()) file.detached = true;
      files.clear();
      reserved = 0;
      const reasons = lost;
      lost = [];
      return reasons;
    },
  };
}

function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}
