import { closeSync } from 'node:fs';
import { openNameless, writeAll } from '../../sandbox/launch-bubblewrap.ts';

/**
 * A file without a name that a process inherits for reading and the kernel fills later. A pipe
 * holds 200 KB, so a process with a plugin of megabytes would wait again and again for the kernel,
 * which is busy while a process boots. A file it reads at once.
 */
export type FileTransfer = Disposable & {
  /** for reading, to be inherited */
  descriptor: number;
  /** Closes the reading end here, once the process has it. */
  handOver(): void;
  /** Fills it, once. False where not all of it could be written: then nothing of it counts. */
  fill(pieces: Iterable<Uint8Array>): boolean;
};

/** Undefined where the system has no such files. */
export function openFileTransfer(): FileTransfer | undefined {
  const file = openNameless();
  if (file === undefined) return undefined;
  const open = new Set(Object.values(file));
  const close = (descriptor: number): void => {
    if (open.delete(descriptor)) closeSync(descriptor);
  };
  return {
    descriptor: file.reading,
    handOver: () => close(file.reading),
    fill: (pieces) => {
      if (!open.has(file.writing)) return false;
      try {
        for (const piece of pieces) writeAll(file.writing, piece);
        return true;
      } catch {
        return false; // it is full
      } finally {
        close(file.writing);
      }
    },
    [Symbol.dispose]: () => {
      close(file.reading);
      close(file.writing);
    },
  };
}
