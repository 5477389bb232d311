import { closeSync, readSync } from 'node:fs';
import type { HostCall } from '../../contracts/tool.ts';
import type { Opened } from '../../paths/open-below.ts';
import { wasiLimits } from '../wasi-limits.ts';
import { failWith, LimitReached } from './error-code.ts';

/** A file that a guest reads, by a descriptor that belongs to it alone. */
export type OpenFile = {
  /** at most `wasiLimits.readBytes`; empty at the end */
  read(offset: number, length: number): Uint8Array;
  fd(): number;
  /** Closed by its last user. */
  retain(): void;
  release(): void;
};

export type OpenFiles = {
  /** Takes ownership of what is opened. */
  add(opened: Opened, entry: HostCall): OpenFile;
  closeAll(): void;
};

/** The descriptors of the system that guests hold, so few that the process keeps some. */
export function createOpenFiles(): OpenFiles {
  const open = new Set<number>();

  function add(opened: Opened, entry: HostCall): OpenFile {
    if (open.size >= wasiLimits.openFiles) {
      opened[Symbol.dispose]();
      throw new LimitReached(
        'insufficient-memory',
        `more than ${wasiLimits.openFiles} files open at once`,
      );
    }
    const { fd } = opened;
    open.add(fd);
    let users = 1;
    let isOpen = true;
    // After `closeAll` the number may belong to another file.
    const check = (): number => {
      if (!isOpen || !open.has(fd)) throw failWith('bad-descriptor');
      return fd;
    };
    return {
      read: (offset, length) => {
        // The buffer is as long as the file, if that is shorter than the read.
        const left = Math.max(opened.stats.size - offset, 4096);
        const buffer = new Uint8Array(Math.min(length, left, wasiLimits.readBytes));
        const count = readSync(check(), buffer, 0, buffer.length, offset);
        entry.bytes = (entry.bytes ?? 0) + count;
        return buffer.subarray(0, count);
      },
      fd: check,
      retain: () => {
        users += 1;
      },
      release: () => {
        users -= 1;
        if (users > 0 || !isOpen) return;
        isOpen = false;
        if (open.delete(fd)) closeSync(fd);
      },
    };
  }

  return {
    add,
    closeAll: () => {
      for (const fd of open) closeSync(fd);
      open.clear();
    },
  };
}
