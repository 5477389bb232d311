import type { BatchKeeper, ChangeKeeper, FileChanges } from '../contracts/file-changes.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { createBlobStore } from './blob-store.ts';

/**
 * Keeps pre-images in a folder and a row for each change. An undo needs both.
 *
 * @param ports.blobs folder of the pre-images, `CUERVO_HOME/blobs`
 * @param ports.flush false where many files change at once: a power cut may then lose what an
 *   undo of this very change would need, and nothing else
 */
export function createChangeKeeper(ports: {
  blobs: string;
  changes: Pick<FileChanges, 'add' | 'addAll' | 'remove'>;
  clock: Clock;
  flush?: boolean;
}): ChangeKeeper & BatchKeeper {
  const { changes, clock, flush = true } = ports;
  const blobs = createBlobStore(ports.blobs);
  return {
    keep: (bytes) => blobs.keep(bytes, { flush }),
    record: (change, make) => {
      const row = { ...change, ts: clock.nowMs() };
      const seq = changes.add(row);
      try {
        const mode = make();
        if (typeof mode !== 'number' || mode === change.mode) return;
        changes.add({ ...row, mode });
        changes.remove(seq);
      } catch (thrown) {
        changes.remove(seq);
        throw thrown;
      }
    },
    recordAll: async (all, make) => {
      const ts = clock.nowMs();
      const seqs = changes.addAll(all.map((change) => ({ ...change, ts })));
      const open = new Set(seqs);
      try {
        await make((index) => open.delete(seqs[index] ?? 0));
      } finally {
        if (open.size > 0) changes.remove(...open);
      }
    },
  };
}
