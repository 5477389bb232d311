import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type {
  FileChange,
  FileChanges,
  PathState,
  RootFiles,
  RootPath,
} from '../../contracts/file-changes.ts';
import type { ChangedRun, ListedRun, Undone } from '../../contracts/output/parse-session.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { rootFolders } from '../../lib/files/paths.ts';
import { checkIdStart } from '../../lib/ids-clock.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { type BlobStore, createBlobStore } from '../../workspace/blob-store.ts';
import { createChangeKeeper } from '../../workspace/keep-changes.ts';
import {
  isSameState,
  netChanges,
  planUndo,
  type UndoStep,
  undoChanges,
} from '../../workspace/undo-changes.ts';
import { type ChangePorts, diffModes } from './dry-run.ts';
import { cutOff } from './settle-runs.ts';

export type UndoPlan = {
  run: ChangedRun;
  steps: readonly UndoStep[];
  /** true when nothing is left to take back: an undo of it changes nothing and is not recorded */
  isEmpty: boolean;
};

/** A file before and after a run; undefined when it did not exist. */
export type FileDiff = {
  path: string;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  /** as git writes them, e.g. 100644, or 120000 for a link; where they differ */
  modes?: [string, string];
  /** true when the bytes before are not kept any more */
  isBeforeLost?: true;
  /** true when something else changed the file since, and the run's content is gone */
  isAfterLost?: true;
};

export type UndoCommands = {
  /** Runs that changed files of the workspace, newest first. */
  runs(limit: number): Promise<ChangedRun[]>;
  /** All runs of the workspace, newest first. */
  allRuns(limit: number): Promise<ListedRun[]>;
  /**
   * Looks at what an undo would do; changes nothing.
   *
   * @param run an id or the start of one; the newest that stands when absent
   * @throws {KernelError} `not-found` when no such run changed anything
   */
  plan(run?: string): Promise<UndoPlan>;
  /**
   * The same for the newest runs that stand, newest first, each as it will be after the undo of
   * those before it. There may be fewer than asked for.
   *
   * @throws {KernelError} `not-found` when there is none
   */
  planLast(count: number): Promise<UndoPlan[]>;
  /**
   * Undoes a run's changes. If every path is as before the run already, nothing is changed and the
   * run is not marked as undone: a later run may have made the same changes again.
   *
   * @param options.force also for files that changed since; their content is kept
   * @throws {KernelError} `conflict` for files that changed since, without force
   */
  undo(run: string, options?: { force?: boolean }): Promise<Undone>;
  /**
   * The changes of a run to each file.
   *
   * @throws {KernelError} `not-found` for an unknown run
   */
  diff(run: string): Promise<FileDiff[]>;
};

/** No limit: the wanted run may be the oldest. */
const everyRun = Number.MAX_SAFE_INTEGER;
/** An undo is recorded as a run of its own, but it is never what the next undo takes back. */
const undoCommand = 'undo';

export function createUndoCommands(ports: ChangePorts): UndoCommands {
  const { config, clock } = ports;
  const blobFolder = join(config.home, 'blobs');
  const blobs: BlobStore = createBlobStore(blobFolder);

  const openFiles = (store: StoreWithJournal, run?: string): RootFiles => {
    const keeper = createChangeKeeper({
      ...{ blobs: blobFolder, changes: store.changes, clock, flush: false },
    });
    return openRootFiles(rootFolders(['work'], config), { keeper, run });
  };

  const findLast = (store: StoreWithJournal, count: number): [ChangedRun, ...ChangedRun[]] => {
    const [newest, ...older] = store.changes
      .runs(config.workspace, everyRun)
      .values()
      .filter((each) => each.command !== undoCommand && !each.undoneMs && each.changes > 0)
      // A write of the same content needs no undo.
      .filter((each) => netChanges(store.changes.ofRun(each.run)).length > 0)
      .take(count);
    if (newest !== undefined) return [newest, ...older];
    throw new KernelError(
      'not-found',
      'there is no run to undo here: none changed files, or all are undone',
      {
        hint: 'See the runs that changed files with: cuervo undo --list; undo a fact by its run, from: cuervo runs list',
      },
    );
  };

  const find = (store: StoreWithJournal, run: string | undefined): ChangedRun => {
    if (run === undefined) return findLast(store, 1)[0];
    checkIdStart(run, 'run', 'cuervo undo --list');
    const runs = store.changes.runs(config.workspace, everyRun);
    const found = runs.filter((each) => each.run.startsWith(run));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const message =
      only === undefined
        ? `no run "${run}" changed files of this workspace`
        : `"${run}" begins the ids of ${found.length} runs`;
    throw new KernelError('not-found', message, {
      hint: 'See the runs that changed files with: cuervo undo --list',
    });
  };

  const stepsOf = (store: StoreWithJournal, { run }: ChangedRun): ReturnType<typeof planUndo> => {
    using files = openFiles(store);
    return planUndo(store.changes.ofRun(run), files, blobs.kept());
  };

  const isEmpty = (
    store: StoreWithJournal,
    run: ChangedRun,
    steps: readonly UndoStep[],
  ): boolean => {
    if (steps.some(({ action }) => action !== 'done')) return false;
    // Goes on with an undo that was cut off before it could mark the run as undone.
    const runs =
      run.undoneMs === undefined ? store.changes.allRuns(config.workspace, everyRun) : [];
    return !runs.some(
      ({ command, question, status, undoneMs, changes }) =>
        command === undoCommand &&
        question === run.run &&
        status === cutOff &&
        undoneMs === undefined &&
        changes > 0,
    );
  };

  const planOf = (
    store: StoreWithJournal,
    run: ChangedRun,
    steps: ReturnType<typeof planUndo>,
  ): UndoPlan => ({
    run,
    steps: steps.map(({ change: _, ...step }) => step),
    isEmpty: isEmpty(store, run, steps),
  });

  /** Undoing an undo restores what the undo took back, and so on. */
  const mark = (changes: FileChanges, run: ChangedRun, undoneMs: number | undefined): void => {
    changes.markUndone(run.run, undoneMs);
    if (run.command !== undoCommand) return;
    const runs = changes.runs(config.workspace, everyRun);
    const taken = runs.find((each) => each.run === run.question);
    if (taken === undefined) return;
    mark(changes, taken, undoneMs === undefined ? clock.nowMs() : undefined);
  };

  return {
    runs: async (limit) => (await ports.store()).changes.runs(config.workspace, limit),
    allRuns: async (limit) => (await ports.store()).changes.allRuns(config.workspace, limit),
    plan: async (run) => {
      const store = await ports.store();
      const found = find(store, run);
      return planOf(store, found, stepsOf(store, found));
    },
    planLast: async (count) => {
      const store = await ports.store();
      using files = openFiles(store);
      const kept = blobs.kept();
      // The states of paths after the undos before this one.
      const states = new Map<string, PathState>();
      const keyOf = ({ root, path }: RootPath): string => `${root}:${path}`;
      const stateOf = (at: RootPath): PathState => states.get(keyOf(at)) ?? files.stateOf(at);
      return findLast(store, count).map((run) => {
        const steps = planUndo(store.changes.ofRun(run.run), { stateOf }, kept);
        for (const { change, isLost } of steps) {
          if (isLost !== true) states.set(keyOf(change), change.before);
        }
        return planOf(store, run, steps);
      });
    },
    undo: async (run, { force = false } = {}) => {
      const store = await ports.store();
      const found = find(store, run);
      const steps = stepsOf(store, found);
      if (isEmpty(store, found, steps)) {
        const paths = steps.map(({ path }) => path);
        return { run: found.run, paths, left: [], lasting: found.lasting };
      }
      return await ports.journaled(undoCommand, found.run, async (id) => {
        using files = openFiles(store, id);
        const conflicts = steps.filter(({ conflict }) => conflict !== undefined);
        const [first] = conflicts;
        const blocked = conflicts.find(({ isBlocked }) => isBlocked === true);
        if (blocked !== undefined) throw inTheWay(blocked, found.run);
        if (first !== undefined && !force) throw changedSince(first, conflicts.length, found.run);
        const lost = steps.filter(({ isLost }) => isLost === true);
        const left = [
          ...lost.map(({ path, conflict = '' }) => ({ path, why: conflict })),
          ...(await undoChanges(
            steps.filter(({ isLost }) => isLost !== true),
            { files, blobs },
          )),
        ];
        if (found.undoneMs === undefined) mark(store.changes, found, clock.nowMs());
        const kept = new Set(left.map(({ path }) => path));
        const paths = steps.map(({ path }) => path).filter((path) => !kept.has(path));
        return { run: found.run, paths, left, lasting: found.lasting };
      });
    },
    diff: async (run) => {
      const store = await ports.store();
      using files = openFiles(store);
      return diffsOf(store.changes.ofRun(find(store, run).run), { files, blobs });
    },
  };
}

function diffsOf(
  changes: readonly FileChange[],
  { files, blobs }: { files: RootFiles; blobs: BlobStore },
): FileDiff[] {
  return netChanges(changes)
    .filter(({ before, after }) => hasBytes(before) || hasBytes(after))
    .map((change): FileDiff => {
      const { path, before, after } = change;
      const old = hasBytes(before) ? kept(blobs, before.hash) : undefined;
      const base = {
        ...{ path, before: old, ...diffModes(before, after) },
        ...(hasBytes(before) && old === undefined ? { isBeforeLost: true as const } : {}),
      };
      if (!hasBytes(after)) return { ...base, after: undefined };
      if (isSameState(files.stateOf(change), after)) return { ...base, after: files.read(change) };
      // Written content is kept only when something overwrites it.
      const later = kept(blobs, after.hash);
      return { ...base, after: later, ...(later === undefined ? { isAfterLost: true } : {}) };
    });
}

function hasBytes(state: PathState): state is Extract<PathState, { hash: string }> {
  return state.kind === 'file' || state.kind === 'link';
}

function kept(blobs: BlobStore, hash: string): Uint8Array | undefined {
  try {
    return blobs.read(hash);
  } catch (thrown) {
    if (KernelError.from(thrown, 'internal').code !== 'not-found') throw thrown;
    return undefined;
  }
}

function inTheWay({ path, conflict }: UndoStep, run: string): KernelError {
  return new KernelError('conflict', `${path} ${conflict}; nothing was undone`, {
    hint: `Move away what is there, then: cuervo undo ${run}`,
  });
}

function changedSince({ path, conflict }: UndoStep, count: number, run: string): KernelError {
  const more = count > 1 ? `, and so were ${count - 1} more` : '';
  return new KernelError('conflict', `${path} ${conflict}${more}; nothing was undone`, {
    hint: `Undo it anyway with: cuervo undo ${run} --force`,
  });
}
