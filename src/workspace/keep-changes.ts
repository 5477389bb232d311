import type { ChangeKeeper, FileChanges } from '../contracts/file-changes.ts';
import type { Clock } from '../lib/clock.ts';
import { createBlobStore } from './blob-store.ts';

/**
 * Pre-images in a folder and a row for each change: what an undo is built on.
 *
 * @param ports.blobs folder of the pre-images, `CUERVO_HOME/blobs`
 */
export function createChangeKeeper(ports: {
  blobs: string;
  changes: Pick<FileChanges, 'add' | 'remove'>;
  clock: Clock;
}): ChangeKeeper {
  const { changes, clock } = ports;
  const blobs = createBlobStore(ports.blobs);
  return {
    keep: (bytes) => blobs.keep(bytes),
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
