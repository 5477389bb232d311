import { wasiLimits } from '../wasi-limits.ts';
import { LimitReached } from './error-code.ts';

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
export function createPendingBytes(
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
