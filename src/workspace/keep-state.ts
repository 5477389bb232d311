import type { FileChanges, StateKeeper } from '../contracts/file-changes.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { createBlobStore } from './blob-store.ts';

/**
 * For what programs change: pre-images of a whole root, and the rows once it is known what they
 * did. Bytes are not forced to the disk one by one: a power cut may lose what no row names yet.
 *
 * @param ports.blobs folder of the pre-images, `CUERVO_HOME/blobs`
 */
export function createStateKeeper(ports: {
  blobs: string;
  changes: Pick<FileChanges, 'addAll' | 'addLasting' | 'removeLasting'>;
  clock: Clock;
}): StateKeeper {
  const { changes, clock } = ports;
  const blobs = createBlobStore(ports.blobs);
  return {
    kept: blobs.kept,
    keep: (bytes) => blobs.keep(bytes, { flush: false }),
    record: (rows) => {
      const ts = clock.nowMs();
      changes.addAll(rows.map((row) => ({ ...row, ts })));
    },
    recordLasting: (effect) => {
      const seq = changes.addLasting({ ...effect, ts: clock.nowMs() });
      return () => changes.removeLasting(seq);
    },
  };
}
