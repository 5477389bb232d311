import { join } from 'node:path';
import { requireTempFolder } from '../../config/paths.ts';
import { keepYoungSpace, limitLanceBatches } from '../../config/process-settings.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { FlushableMemory } from '../../contracts/memory.ts';
import { once } from '../../lib/memo.ts';
import { createFactCommands, type FactCommands } from '../../memory/commands/fact-commands.ts';
import { createIndexCommands, type IndexCommands } from '../../memory/commands/index-commands.ts';
import { createIndexPieces, type IndexPieces } from '../../memory/commands/index-pieces.ts';
import {
  createMemoryCommands,
  type MemoryCommands,
} from '../../memory/commands/memory-commands.ts';
import { loadEmbedder } from '../../memory/static/load-embedder.ts';
import { endPromptStates } from '../../models/llama/prompt-states.ts';
import { dropDamagedCopies } from '../../store/damaged-copies.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { dropKept } from '../changes/prune.ts';
import type { KernelCore } from '../core.ts';
import type { FilesIndex } from './create-files-index.ts';
import { openMemoryModels } from './open-memory-models.ts';

/** Memory, opened by its first use, with what makes vectors for it and for questions. */
export type KernelMemory = {
  open(): Promise<FlushableMemory>;
  /** of texts; @throws where its table cannot be loaded */
  embedder(): Embedder;
  /** of code; @throws where its table cannot be loaded */
  codeEmbedder(): Embedder;
  indexPieces: IndexPieces;
  commands: MemoryCommands & FactCommands;
  index: IndexCommands;
  /** whether searches have an index of the workspace's files */
  isIndexed(): boolean;
};

/** The settings hold for all of the process, and only tables need them. */
function prepareTables(): void {
  requireTempFolder();
  limitLanceBatches();
  keepYoungSpace();
}

export function createMemory(core: KernelCore, files: FilesIndex): KernelMemory {
  const { config, clock, store, warn } = core;
  const { confine } = core.sandbox;
  const embedder = once(() => loadEmbedder(config.paths.embedder));
  const models = once(() =>
    core.own(openMemoryModels(config, { staticEmbedder: embedder, confine })),
  );
  const open = once(async (): Promise<FlushableMemory> => {
    const { memoryJournal } = await store();
    const { openMemory } = await import('../../memory/open-memory.ts');
    const directory = join(config.home, 'lancedb');
    const { embedder, reranker, meaning } = models();
    const { shared, turnRows, turnDays } = config.memory;
    const retention = { turnRows, ...(turnDays === undefined ? {} : { turnDays }) };
    const ports = {
      ...{
        directory,
        prepareTables,
        journal: memoryJournal,
        clock,
        embedder,
        reranker,
        meaning,
        warn,
        retention,
      },
    };
    return core.own(await openMemory(shared === undefined ? ports : { ...ports, shared }));
  });
  const ports = {
    config,
    clock,
    store,
    files,
    memory: open,
    sources: async () => (await store()).memorySources,
    dropDerived: async () => {
      // Prompt states cannot be searched, so all of them go.
      endPromptStates(config);
      await models().forget();
    },
    dropKept: (opened: StoreWithJournal, runs: readonly string[]) => {
      dropKept(config, opened, runs);
      dropDamagedCopies(join(config.home, 'cuervo.db'));
    },
  };
  return {
    open,
    embedder,
    codeEmbedder: once(() => loadEmbedder(config.paths.codeEmbedder)),
    indexPieces: createIndexPieces(ports),
    commands: {
      ...createMemoryCommands(ports),
      ...createFactCommands({ ...ports, journaled: core.journaled }),
    },
    index: createIndexCommands(ports),
    isIndexed: files.exists,
  };
}
