import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { checkIdStart } from '../../lib/ids-clock.ts';
import { type DryRunRecord, readDryRun } from '../../programs/snapshot/copy-changes.ts';
import type { ChangePorts } from './change-ports.ts';
import { dryRunsFolder } from './dry-run.ts';

/** A dry run that is kept: its folder, and the copy of the workspace in it. */
export type FoundDryRun = { place: string; folder: string; record: DryRunRecord };

/** The command name of an application in the journal. */
export const applyCommand = 'apply';
/** The copy in the folder of a dry run is named after its root. */
export const dryRunRoot = 'work';
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
