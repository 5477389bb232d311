import type { ChangeKeeper, FileChanges } from '../contracts/file-changes.ts';
import type { Clock } from '../lib/clock.ts';
import { createBlobStore } from './blob-store.ts';

/**
 * Pre-images in a folder and a row for each change: what an undo is built on.
 *
 * @param ports.blobs folder of the pre-images, `CUERVO_HOME/blobs`
 * @param ports.flush false where many files change at once: a power cut may then lose what an
 *   undo of this very change would need, and nothing else
 */
export function createChangeKeeper(ports: {
  blobs: string;
  changes: Pick<FileChanges, 'add' | 'remove'>;
  clock: Clock;
  flush?: boolean;
}): ChangeKeeper {
  const { changes, clock, flush = true } = ports;
  const blobs = createBlobStore(ports.blobs);
  return {
    keep: (bytes) => blobs.keep(bytes, { flush }),
    record: (change, make) => {
      const seq = changes.add({ ...change, ts: clock.nowMs() });
      try {
        make();
      } catch (thrown) {
        changes.remove(seq);
        throw thrown;
      }
    },
  };
}
