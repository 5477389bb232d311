import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import type { PathState } from '../../contracts/file-changes.ts';
import { makeFolder, namesIn } from '../../lib/files/folders.ts';
import { protectedBelow, realPath, rootFolders } from '../../lib/files/paths.ts';
import { type Clock, checkIdStart, newId } from '../../lib/ids-clock.ts';
import {
  type DryRunRecord,
  readDryRun,
  walkCopy,
  writeDryRun,
} from '../../programs/snapshot/copy-changes.ts';
import { copyRoot, planCopy } from '../../programs/snapshot/copy-root.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { openHome } from '../open-home.ts';

/** A copy of the workspace on which everything of one run works. The caller owns it. */
export type DryRun = Disposable & {
  /** absolute directory in place of the workspace */
  folder: string;
  /**
   * Keeps the copy for `apply` under a run's id. A copy without a run is removed with the kernel.
   *
   * @throws {KernelError} where the home has no room for it
   */
  bind(run: string): void;
};

/** The copy in the folder of a dry run is named after its root. */
export const dryRunRoot = 'work';
const maxEntries = 100_000;
/** Twice the tick of a file system's clock, and more. */
const settleMs = 120;

/** Folder of all dry runs that can be applied. */
export function dryRunsFolder(config: Pick<Config, 'home'>): string {
  return join(realPath(config.home), 'dry-runs');
}

/**
 * Copies the workspace, blocks shared where the file system can do that.
 *
 * @throws {KernelError} `resource-exhausted` when it is too large, or the disk is full;
 *   `unavailable` where the home cannot be written or the workspace cannot be read
 */
export async function openDryRun(ports: {
  config: Config;
  clock: Clock;
  warn(text: string): void;
}): Promise<DryRun> {
  const { config, clock } = ports;
  openHome(config.home);
  const { work: workspace = '' } = rootFolders([dryRunRoot], config);
  const plan = await planCopy(dryRunRoot, workspace, {
    isProtected: createContentGate(protectedBelow(config)).isProtected,
    limits: { bytes: config.dryRunBytes, entries: maxEntries },
  });
  if ('tooMuch' in plan) throw tooLarge(plan.tooMuch, config);
  if (plan.left.length > 0) {
    const names = plan.left.slice(0, 3).join(', ');
    ports.warn(
      `the dry run leaves out ${names}: with git-ignored files the copy would be too large`,
    );
  }
  const place = join(dryRunsFolder(config), newId(clock.nowMs()));
  const folder = join(place, dryRunRoot);
  const remove = (): void => rmSync(place, { recursive: true, force: true });
  try {
    makeFolder(folder);
  } catch (thrown) {
    remove();
    throw notKept(thrown, config);
  }
  try {
    await copyRoot(plan, workspace, folder);
    // Wait, so that later changes get other times than the copies.
    await setTimeout(settleMs);
  } catch (thrown) {
    remove();
    throw notCopied(thrown, config);
  }
  const takenAtMs = Date.now();
  const copy = await walkCopy(dryRunRoot, folder);
  let isBound = false;
  return {
    folder,
    bind: (run) => {
      if (isBound) return;
      try {
        writeDryRun(place, { run, workspace, takenAtMs, original: plan.entries, copy });
      } catch (thrown) {
        throw notKept(thrown, config);
      }
      isBound = true;
    },
    [Symbol.dispose]: () => {
      if (!isBound) remove();
    },
  };
}

function tooLarge(found: { bytes: number; entries: number }, config: Config): KernelError {
  const size = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MiB`;
  const many = found.entries > maxEntries;
  const message = many
    ? `a dry run works on a copy, and ${config.workspace} holds more than ${maxEntries} files`
    : `a dry run works on a copy, and ${config.workspace} has ${size(found.bytes)}, limit ${size(config.dryRunBytes)}`;
  return new KernelError('resource-exhausted', message, {
    hint: many
      ? 'Name a smaller folder: --workspace DIR'
      : 'Raise workspace.dry-run-bytes in config.toml, or name a smaller folder: --workspace DIR',
  });
}

const fullCodes = /^(?:ENOSPC|EDQUOT|EFBIG)$/;

/** The error of a failed copy; a full disk is the home's fault, not the workspace's. */
function notCopied(thrown: unknown, config: Config): KernelError {
  const code = codeOf(thrown);
  if (fullCodes.test(code)) return notKept(thrown, config);
  const message = `${config.workspace} could not be copied for a dry run: ${code}`;
  return new KernelError('unavailable', message, {
    cause: thrown,
    hint: 'Check what is there and its permissions, or name another folder: --workspace DIR',
  });
}

function notKept(thrown: unknown, { home }: Config): KernelError {
  const code = codeOf(thrown);
  const message = `the home ${home} cannot hold the copy for a dry run: ${code}`;
  return fullCodes.test(code)
    ? new KernelError('resource-exhausted', message, {
        cause: thrown,
        hint: 'Free some space there, or take a home on another disk: CUERVO_HOME=DIR cuervo …',
      })
    : new KernelError('unavailable', message, {
        cause: thrown,
        hint: 'Make it writable, or take another home: CUERVO_HOME=DIR cuervo …',
      });
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? 'unknown error';
}

/** Needs of commands that change the workspace; each change is a run of its own. */
export type ChangePorts = {
  config: Config;
  clock: Clock;
  store(): Promise<StoreWithJournal>;
  journaled<Value>(
    command: string,
    what: string,
    change: (run: string) => Promise<Value>,
  ): Promise<Value>;
};

/** Modes as git writes them, where both are known and differ: a file's, or 120000 for a link. */
export function diffModes(before: PathState, after: PathState): { modes?: [string, string] } {
  const [from, to] = [modeText(before), modeText(after)];
  return from === to || from === '' || to === '' ? {} : { modes: [from, to] };
}

function modeText(state: PathState): string {
  if (state.kind === 'link') return '120000';
  if (state.kind !== 'file' || state.mode === undefined) return '';
  return `100${state.mode.toString(8).padStart(3, '0')}`;
}

/** A dry run that is kept: its folder, and the copy of the workspace in it. */
export type FoundDryRun = { place: string; folder: string; record: DryRunRecord };

/** The command name of an application in the journal. */
export const applyCommand = 'apply';
/** How many newest applications are searched for a dry run's. */
const maxRuns = 100;

export type DryRunFinder = {
  /** newest first */
  all(): FoundDryRun[];
  /** @throws {KernelError} `not-found` when none, or more than one, has an id that begins so */
  find(run: string | undefined): FoundDryRun;
  /** As `find`. @throws {KernelError} `conflict` when it was applied already */
  findToApply(run: string): Promise<FoundDryRun>;
  /** The error that tells why a dry run is gone. */
  goneMeanwhile(run: string): Promise<KernelError>;
  /** Runs work with a dry run; throws `goneMeanwhile` if another command applied it meanwhile. */
  whileThere<Value>(found: FoundDryRun, work: () => Promise<Value>): Promise<Value>;
};

export function createDryRunFinder({ config, store }: ChangePorts): DryRunFinder {
  const all = (): FoundDryRun[] =>
    namesIn(dryRunsFolder(config))
      .toSorted()
      .toReversed()
      .flatMap((name) => {
        const place = join(dryRunsFolder(config), name);
        const record = readDryRun(place);
        if (record?.workspace !== config.workspace) return [];
        return [{ place, folder: join(place, dryRunRoot), record }];
      });

  const find = (run: string | undefined): FoundDryRun => {
    if (run !== undefined) checkIdStart(run, 'dry run', 'cuervo apply --list');
    const found = all().filter(({ record }) => run === undefined || record.run.startsWith(run));
    const [first] = found;
    if (first !== undefined && (found.length === 1 || run === undefined)) return first;
    const message =
      first === undefined
        ? `there is no dry run${run === undefined ? '' : ` "${run}"`} of this workspace to apply`
        : `"${run}" begins the ids of ${found.length} dry runs`;
    throw new KernelError('not-found', message, {
      hint: 'Make one with --dry-run; see what there is with: cuervo apply --list',
    });
  };

  const goneMeanwhile = async (run: string): Promise<KernelError> => {
    const runs = (await store()).changes.allRuns(config.workspace, maxRuns);
    const by = runs.find(
      ({ command, question, status }) =>
        command === applyCommand && question === run && status === 'ok',
    );
    if (by === undefined) {
      return new KernelError('not-found', `dry run ${run} was forgotten in the meantime`, {
        hint: 'See what there is with: cuervo apply --list',
      });
    }
    return new KernelError(
      'conflict',
      `dry run ${run} was applied in the meantime, by run ${by.run}`,
      {
        hint: `See what it did with: cuervo runs diff ${by.run}`,
      },
    );
  };

  const whileThere = async <Value>(
    found: FoundDryRun,
    work: () => Promise<Value>,
  ): Promise<Value> => {
    try {
      return await work();
    } catch (thrown) {
      if (readDryRun(found.place) !== undefined) throw thrown;
      throw await goneMeanwhile(found.record.run);
    }
  };

  const findToApply = async (run: string): Promise<FoundDryRun> => {
    try {
      return find(run);
    } catch (thrown) {
      const gone = await goneMeanwhile(run);
      throw gone.code === 'conflict' ? gone : thrown;
    }
  };

  return { all, find, findToApply, goneMeanwhile, whileThere };
}
