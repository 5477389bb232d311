import type {
  BatchKeeper,
  ChangeKeeper,
  FileChanges,
  StateKeeper,
} from '../contracts/file-changes.ts';
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

/**
 * For changes of programs: keeps pre-images of a whole root before, and writes the rows afterwards.
 * Bytes are not forced to the disk one by one: a power cut may lose what no row names yet.
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
