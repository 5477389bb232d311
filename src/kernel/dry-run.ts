import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';
import { protectAlso } from '../host/below/protected-check.ts';
import { walkCopy } from '../host/snapshot/copy-changes.ts';
import { copyRoot, planCopy } from '../host/snapshot/copy-root.ts';
import { writeDryRun } from '../host/snapshot/dry-run-record.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/new-id.ts';
import { openHome } from './open-home.ts';
import { protectedBelow, realHome, rootFolders } from './roots.ts';

/** A copy of the workspace on which everything of one run works. The caller owns it. */
export type DryRun = Disposable & {
  /** absolute directory in place of the workspace */
  folder: string;
  /** Keeps the copy for `apply` under a run's id. A copy that no run had goes with the kernel. */
  bind(run: string): void;
};

const root = 'work';
const maxEntries = 100_000;
/** More than the tick of a file system's clock, twice. */
const settleMs = 120;

/** Folder of all dry runs that can be applied. */
export function dryRunsFolder(config: Pick<Config, 'home'>): string {
  return join(realHome(config.home), 'dry-runs');
}

/**
 * Copies the workspace, blocks shared where the file system can do that.
 *
 * @throws {KernelError} `resource-exhausted` when it is too large, or the disk is full
 */
export async function openDryRun(ports: {
  config: Config;
  clock: Clock;
  warn(text: string): void;
}): Promise<DryRun> {
  const { config, clock } = ports;
  openHome(config.home);
  const { work: workspace = '' } = rootFolders([root], config);
  const plan = await planCopy(root, workspace, {
    isProtected: protectAlso(protectedBelow(config)),
    limits: { bytes: config.dryRunBytes, entries: maxEntries },
  });
  if ('tooMuch' in plan) throw tooLarge(plan.tooMuch, config);
  if (plan.left.length > 0) {
    const names = plan.left.slice(0, 3).join(', ');
    ports.warn(`the dry run has no ${names}: with what git ignores the copy would be too large`);
  }
  const place = join(dryRunsFolder(config), newId(clock.nowMs()));
  const folder = join(place, root);
  const remove = (): void => rmSync(place, { recursive: true, force: true });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await copyRoot(plan, workspace, folder);
    // So that the clock tells what was copied from what is changed later.
    await setTimeout(settleMs);
  } catch (thrown) {
    remove();
    throw notCopied(thrown, workspace);
  }
  const takenAtMs = Date.now();
  const copy = await walkCopy(root, folder);
  let isBound = false;
  return {
    folder,
    bind: (run) => {
      if (isBound) return;
      writeDryRun(place, { run, workspace, takenAtMs, original: plan.entries, copy });
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

function notCopied(thrown: unknown, workspace: string): KernelError {
  const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error';
  const isFull = /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code);
  const message = `${workspace} could not be copied for a dry run: ${code}`;
  return new KernelError(isFull ? 'resource-exhausted' : 'unavailable', message, {
    cause: thrown,
    hint: isFull
      ? 'Free some space, or name a smaller folder: --workspace DIR'
      : 'Check what lies there and its permissions, or name another folder: --workspace DIR',
  });
}
