import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { KeptOutput } from '../../contracts/kept-outputs.ts';
import { checkIdStart } from '../../lib/ids-clock.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { createBlobStore } from '../../workspace/blob-store.ts';

export type OutputCommands = {
  /**
   * Long outputs of programs that runs of the workspace printed.
   *
   * @param id of a run, or the start of one; or that of an output
   */
  list(id: string): Promise<KeptOutput[]>;
  /** @throws {KernelError} `not-found` when it was pruned */
  read(output: KeptOutput): Uint8Array;
};

export function createOutputCommands(ports: {
  config: Pick<Config, 'home' | 'workspace'>;
  store(): Promise<StoreWithJournal>;
}): OutputCommands {
  const { home, workspace } = ports.config;
  const blobs = createBlobStore(join(home, 'blobs'));
  return {
    list: async (id) => {
      checkIdStart(id, 'run or output', 'cuervo runs list');
      return (await ports.store()).outputs.find(workspace, id);
    },
    read: ({ hash, program }) => {
      if (blobs.kept().has(hash)) return blobs.read(hash);
      throw new KernelError('not-found', `what ${program} printed is no longer kept`, {
        hint: 'Older outputs make room for newer ones; run it again.',
      });
    },
  };
}
