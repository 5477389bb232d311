import { randomBytes } from 'node:crypto';
import type { KernelError } from '../contracts/error.ts';
import type { FileChanges } from '../contracts/file-changes.ts';
import type { PluginValues } from '../contracts/host-service.ts';
import type { JobBook, MetricsBook, PrunedStore, TalkQuota } from '../contracts/jobs.ts';
import type { JournalEntry } from '../contracts/journal.ts';
import type { KeptOutputs } from '../contracts/kept-outputs.ts';
import type { MemoryJournal, MemorySources, MemoryUses } from '../contracts/memory-store.ts';
import type { Store } from '../contracts/store.ts';
import { noKey } from '../lib/hash-chain.ts';
import { changeQueries } from './change-queries.ts';
import { type Append, createAppend, eventQueries } from './event-queries.ts';
import { jobQueries } from './job-queries.ts';
import { sourceQueries, useQueries } from './memory-queries.ts';
import { createMemoryJournal } from './memory-rows.ts';
import { type Database, openDatabase } from './open-database.ts';
import { moveProject, pruneStore } from './prune-store.ts';
import { findRuns, runQueries } from './run-queries.ts';
import { sessionQueries, talkQueries } from './session-queries.ts';
import { metricQueries, settingQueries } from './setting-queries.ts';
import { outputQueries, valueQueries } from './value-queries.ts';

/** The store, with the journal that memory writes through. */
export type StoreWithJournal = RunStore & {
  /**
   * For what a run writes of itself: this store, or, where it cannot be written, one whose runs,
   * sessions and settings are gone with it.
   */
  readonly ofRun: RunStore;
};

export type RunStore = Store & {
  /** what each change throws, where the file or its folder cannot be written */
  readonly unwritable: KernelError | undefined;
  readonly memoryJournal: MemoryJournal;
  readonly memorySources: MemorySources;
  readonly memoryUses: MemoryUses;
  readonly metrics: MetricsBook;
  readonly values: PluginValues;
  readonly changes: FileChanges;
  readonly outputs: KeptOutputs;
  readonly jobs: JobBook;
  /** Gives the records of a workspace another path. */
  moveProject(from: string, to: string): void;
  /** Deletes old records that nothing needs. */
  prune(nowMs: number, talk?: TalkQuota): PrunedStore;
  /**
   * Writes the file anew and cuts its log, so that what was deleted is in neither: pages keep bytes
   * of rows that moved to another page, and another process may keep the log open for hours. While
   * one writes, or where there is no room, all stays as it is until the next time.
   */
  scrub(): void;
};

/**
 * Opens or creates `cuervo.db` with mode 0600. Several processes may have it open. Where it cannot
 * be written, it can still be read, and each change throws the reason. The caller owns the result;
 * the journal ends with it.
 *
 * @param options.path a file, or `:memory:`
 * @param options.newId makes the ids of sessions; 12 random hex digits unless given
 * @param options.auditKey proves what is in events; zeros unless given
 * @param options.onWritten told each event that the journal has now
 * @param options.uptimeMs time of the machine that leases of jobs count, not that of its clock
 * @throws {KernelError} `unavailable` when it cannot be opened, is damaged or of a newer format,
 *   `resource-exhausted` when the disk is full; every method throws the same
 */
export function openStore(options: {
  path: string;
  newId?: () => string;
  uptimeMs?: () => number;
  nowMs?: () => number;
  auditKey?: () => Uint8Array;
  onWritten?: (entries: readonly JournalEntry[]) => void;
}): StoreWithJournal {
  const database = openDatabase(options.path);
  const newId = options.newId ?? (() => randomBytes(6).toString('hex'));
  const { unkept, unwritable } = database;
  const { auditKey = () => noKey, nowMs = Date.now } = options;
  const append = createAppend(database, auditKey, options.onWritten);
  const appendTo = (rows: Database): Append =>
    rows === database ? append : createAppend(rows, auditKey);
  const ofRunIn = (rows: Database) => ({
    ...eventQueries(rows, appendTo(rows)),
    ...sessionQueries(rows, newId, { append: appendTo(rows), nowMs }),
    ...runQueries(rows, appendTo(rows), nowMs),
    ...findRuns(rows),
    ...settingQueries(rows),
    ...talkQueries(rows, appendTo(rows)),
    memoryUses: useQueries(rows),
    metrics: metricQueries(rows),
  });
  const store: RunStore = {
    unwritable,
    ...ofRunIn(database),
    memoryJournal: createMemoryJournal(database, { append, nowMs }),
    memorySources: sourceQueries(database),
    values: valueQueries(database),
    changes: changeQueries(database),
    outputs: outputQueries(database),
    jobs: jobQueries(database, append, options.uptimeMs),
    moveProject: (from, to) => moveProject(database, from, to),
    prune: (nowMs, talk) => {
      const pruned = pruneStore(database, append, nowMs, talk);
      if (pruned.runs + pruned.outputs > 0) scrub(database);
      return pruned;
    },
    scrub: () => scrub(database),
    [Symbol.dispose]: () => database.close(),
  };
  return { ...store, ofRun: unkept === undefined ? store : { ...store, ...ofRunIn(unkept) } };
}

function scrub(database: Database): void {
  try {
    database.run('VACUUM');
  } catch {
    // the next deletion, or memory compact, tries again
  }
  database.get('PRAGMA wal_checkpoint(TRUNCATE)');
}
