import { KernelError } from '../../contracts/error.ts';
import type { GuardRow } from '../../contracts/store.ts';
import { checkIdStart } from '../../lib/ids-clock.ts';
import type { KernelCore } from '../core.ts';

/**
 * The checkpoints' actions in the workspace's runs whose id begins so.
 *
 * @throws {KernelError} `not-found` when there is no such run
 */
export type GuardRows = (run: string) => Promise<readonly GuardRow[]>;

export function createGuardRows({ config, store }: KernelCore): GuardRows {
  return async (id) => {
    checkIdStart(id, 'run', 'cuervo runs list');
    const { guardRows, hasRun } = await store();
    if (hasRun(config.workspace, id)) return guardRows(config.workspace, id);
    throw new KernelError('not-found', `there is no run "${id}" of this workspace`, {
      hint: 'See what ran here with: cuervo runs list',
    });
  };
}
