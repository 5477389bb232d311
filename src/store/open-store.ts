import { randomBytes } from 'node:crypto';
import type { FileChanges } from '../contracts/file-changes.ts';
import type { PluginValues } from '../contracts/host-service.ts';
import type { MemoryJournal } from '../contracts/memory-journal.ts';
import type { MemorySources } from '../contracts/memory-sources.ts';
import type { Store } from '../contracts/store.ts';
import { changeQueries } from './change-queries.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { openDatabase } from './open-database.ts';
import { runQueries } from './run-queries.ts';
import { sessionQueries } from './session-queries.ts';
import { settingQueries } from './setting-queries.ts';
import { sourceQueries } from './source-queries.ts';
import { valueQueries } from './value-queries.ts';

/** The store, with the journal that memory writes through. */
export type StoreWithJournal = Store & {
  readonly memoryJournal: MemoryJournal;
  readonly memorySources: MemorySources;
  readonly values: PluginValues;
  readonly changes: FileChanges;
};

/**
 * Opens or creates `cuervo.db` with mode 0600. Several processes may have it open. The caller owns
 * the result; the journal ends with it.
 *
 * @param options.path a file, or `:memory:`
 * @param options.newId makes the ids of sessions; 12 random hex digits unless given
 * @throws {KernelError} `unavailable` when it cannot be opened, is damaged or of a newer format,
 *   `resource-exhausted` when the disk is full; every method throws the same
 */
export function openStore(options: { path: string; newId?: () => string }): StoreWithJournal {
  const database = openDatabase(options.path);
  const newId = options.newId ?? (() => randomBytes(6).toString('hex'));
  return {
    ...sessionQueries(database, newId),
    ...runQueries(database),
    ...settingQueries(database),
    memoryJournal: createMemoryJournal(database),
    memorySources: sourceQueries(database),
    values: valueQueries(database),
    changes: changeQueries(database),
    [Symbol.dispose]: () => database.close(),
  };
}
