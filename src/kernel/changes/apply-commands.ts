import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { BatchKeeper, FileChange } from '../../contracts/file-changes.ts';
import type { Applied, DryRunRow } from '../../contracts/output/parse-session.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { rootFolders } from '../../lib/files/paths.ts';
import { sha256 } from '../../lib/sha256.ts';
import {
  type CopyChanges,
  copyChanges,
  type DryRunRecord,
  readDryRun,
  removeDryRun,
  writeHashes,
} from '../../programs/snapshot/copy-changes.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { createChangeKeeper } from '../../workspace/keep-changes.ts';
import { netChanges, planUndo, type UndoStep, undoChanges } from '../../workspace/undo-changes.ts';
import {
  applyCommand,
  type ChangePorts,
  createDryRunFinder,
  diffModes,
  dryRunRoot,
  type FoundDryRun,
} from './dry-run.ts';
import type { FileDiff } from './undo-commands.ts';

/** The effect of applying a dry run. */
export type ApplyPlan = {
  run: string;
  steps: readonly UndoStep[];
  /** what it did that is not applied, with the reason */
  left: readonly { path: string; why: string }[];
};

export type ApplyCommands = {
  /** Dry runs of the workspace that can be applied, newest first. */
  runs(): DryRunRow[];
  /**
   * The effect of applying; changes nothing. It notes the present state of the workspace, to tell a
   * file that was only touched from a changed one.
   *
   * @param run an id or the start of one; the newest when absent
   * @throws {KernelError} `not-found`
   */
  plan(run?: string): Promise<ApplyPlan>;
  diff(run: string): Promise<FileDiff[]>;
  /**
   * Makes the changes of a dry run in the workspace, and forgets the dry run.
   *
   * @throws {KernelError} `conflict` when a file was changed in the workspace meanwhile, or another
   *   command applies it or has
   */
  apply(run: string): Promise<Applied>;
  discard(run: string): void;
};

const root = dryRunRoot;

export function createApplyCommands(ports: ChangePorts): ApplyCommands {
  const { config, clock } = ports;
  const blobs = join(config.home, 'blobs');
  const { all, find, findToApply, goneMeanwhile, whileThere } = createDryRunFinder(ports);

  const openFiles = (store: StoreWithJournal, run?: string) => {
    const keeper = createChangeKeeper({ blobs, changes: store.changes, clock, flush: false });
    return openRootFiles(rootFolders([root], config), { keeper, run });
  };

  const rowsOf = ({ inverse }: CopyChanges): FileChange[] =>
    inverse.map((change) => ({ ...change, ts: 0 }));

  const hashesOf = (rows: readonly FileChange[]): Set<string> =>
    new Set(rows.flatMap(({ beforeHash }) => beforeHash ?? []));

  const planOf = async ({ place, folder, record }: FoundDryRun): Promise<ApplyPlan> => {
    const changes = await copyChanges(root, folder, record);
    if (changes.hashes.size > record.hashes.size) noteHashes(place, changes.hashes);
    const rows = rowsOf(changes);
    using files = openFiles(await ports.store());
    const steps = planUndo(rows, files, hashesOf(rows));
    return {
      run: record.run,
      steps: steps.map(({ change: _, ...step }) => step),
      left: changes.left,
    };
  };

  const diffOf = async ({ folder, record }: FoundDryRun): Promise<FileDiff[]> => {
    const rows = rowsOf(await copyChanges(root, folder, record));
    const store = await ports.store();
    using workspace = openFiles(store);
    using copy = openCopy(folder);
    return netChanges(rows).flatMap((change): FileDiff[] => {
      const { path, before: to, after: from } = change;
      if (!('hash' in to) && !('hash' in from)) return [];
      return [
        {
          ...{ path, ...diffModes(from, to) },
          before: 'hash' in from ? workspace.read(change) : undefined,
          after: 'hash' in to ? copy.read(change) : undefined,
        },
      ];
    });
  };

  const make = async ({ folder, record }: FoundDryRun): Promise<Applied> => {
    const changes = await copyChanges(root, folder, record);
    const rows = rowsOf(changes);
    const store = await ports.store();
    return await ports.journaled(applyCommand, record.run, async (id) => {
      using files = openFiles(store, id);
      using copy = openCopy(folder);
      const steps = planUndo(rows, files, hashesOf(rows));
      const conflicts = steps.filter(({ conflict }) => conflict !== undefined);
      const [first] = conflicts;
      if (first !== undefined) throw changedMeanwhile(first, conflicts.length);
      const paths = new Map(rows.flatMap((row) => (row.beforeHash ? [[row.beforeHash, row]] : [])));
      const read = (hash: string): Uint8Array => {
        const at = paths.get(hash);
        const bytes = at === undefined ? undefined : copy.read(at);
        if (bytes !== undefined && sha256(bytes) === hash) return bytes;
        throw new KernelError('conflict', `the copy of dry run ${record.run} was changed`, {
          hint: 'Make a new one: repeat the command with --dry-run.',
        });
      };
      const left = [...changes.left, ...(await undoChanges(steps, { files, blobs: { read } }))];
      const kept = new Set(left.map(({ path }) => path));
      const done = steps.map(({ path }) => path).filter((path) => !kept.has(path));
      return { run: record.run, appliedBy: id, paths: done, left };
    });
  };

  return {
    runs: () => all().map(({ record }) => ({ run: record.run })),
    plan: async (run) => {
      const found = find(run);
      return await whileThere(found, () => planOf(found));
    },
    diff: async (run) => {
      const found = find(run);
      return await whileThere(found, () => diffOf(found));
    },
    apply: async (run) => {
      const { tryLock } = await import('../../lib/sqlite/database-file.ts');
      const found = await findToApply(run);
      const { place, record } = found;
      const lockPath = `${place}.lock`;
      using lock = tryLock(lockPath);
      if (lock === undefined) throw appliedNow(record.run);
      try {
        if (readDryRun(place) === undefined) throw await goneMeanwhile(record.run);
        const applied = await make(found);
        removeDryRun(place);
        return applied;
      } finally {
        // Remove the lock while it is held: a process that opened it before sees that it is gone.
        rmSync(lockPath, { force: true });
      }
    },
    discard: (run) => removeDryRun(find(run).place),
  };
}

/** An unwritten note is no loss: files that were only touched then count as changed. */
function noteHashes(place: string, hashes: DryRunRecord['hashes']): void {
  try {
    writeHashes(place, hashes);
  } catch {
    // A full disk, or another command that applied and forgot the dry run.
  }
}

/** The copy is only read; nothing of it is recorded. */
function openCopy(folder: string) {
  const keeper: BatchKeeper = { keep: sha256, recordAll: (_, make) => make(() => {}) };
  return openRootFiles({ [root]: folder }, { keeper });
}

function appliedNow(run: string): KernelError {
  return new KernelError('conflict', `dry run ${run} is being applied by another command`, {
    hint: 'See how that ends with: cuervo runs list',
  });
}

function changedMeanwhile({ path, conflict }: UndoStep, count: number): KernelError {
  const more = count > 1 ? `, and so were ${count - 1} more` : '';
  return new KernelError('conflict', `${path} ${conflict}${more}; nothing was applied`, {
    hint: 'Repeat it with --dry-run on the files as they are now.',
  });
}
