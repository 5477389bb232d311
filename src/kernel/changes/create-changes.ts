import type { KernelCore } from '../core.ts';
import { type ApplyCommands, createApplyCommands } from './apply-commands.ts';
import { createOutputCommands, type OutputCommands } from './output-commands.ts';
import { createPruneBlobs, type PruneBlobs } from './prune.ts';
import { createUndoCommands, type UndoCommands } from './undo-commands.ts';

/** Lists what runs changed and printed, and takes it back; for the workspace only. */
export type KernelChanges = {
  apply: ApplyCommands;
  undo: UndoCommands;
  outputs: OutputCommands;
  pruneBlobs: PruneBlobs;
};

export function createChanges({ loaded, clock, store, journaled }: KernelCore): KernelChanges {
  const ports = { config: loaded, clock, store, journaled };
  return {
    apply: createApplyCommands(ports),
    undo: createUndoCommands(ports),
    outputs: createOutputCommands(ports),
    pruneBlobs: createPruneBlobs(ports),
  };
}
