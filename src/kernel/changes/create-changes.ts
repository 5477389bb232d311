import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { KeptOutput } from '../../contracts/kept-outputs.ts';
import type { GuardRow } from '../../contracts/store.ts';
import { checkIdStart } from '../../lib/ids-clock.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { createBlobStore } from '../../workspace/blob-store.ts';
import type { KernelCore } from '../core.ts';
import { type ApplyCommands, createApplyCommands } from './apply-commands.ts';
import { createPruneBlobs, type PruneBlobs } from './prune.ts';
import { createUndoCommands, type UndoCommands } from './undo-commands.ts';

/** Lists what runs changed and printed, and takes it back; for the workspace only. */
export type KernelChanges = {
  apply: ApplyCommands;
  undo: UndoCommands;
  outputs: OutputCommands;
  pruneBlobs: PruneBlobs;
  /**
   * The checkpoints' actions in the workspace's runs whose id begins so.
   *
   * @throws {KernelError} `not-found` when there is no such run
   */
  guardRows(run: string): Promise<readonly GuardRow[]>;
};

export function createChanges(core: KernelCore): KernelChanges {
  const { loaded, clock, store, journaled } = core;
  const ports = { config: loaded, clock, store, journaled };
  return {
    apply: createApplyCommands(ports),
    undo: createUndoCommands(ports),
    outputs: createOutputCommands(ports),
    pruneBlobs: createPruneBlobs(ports),
    guardRows: createGuardRows(core),
  };
}

function createGuardRows({ config, store }: KernelCore): KernelChanges['guardRows'] {
  return async (id) => {
    checkIdStart(id, 'run', 'cuervo runs list');
    const { guardRows, hasRun } = await store();
    if (hasRun(config.workspace, id)) return guardRows(config.workspace, id);
    throw new KernelError('not-found', `there is no run "${id}" of this workspace`, {
      hint: 'See what ran here with: cuervo runs list',
    });
  };
}

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

function createOutputCommands(ports: {
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
