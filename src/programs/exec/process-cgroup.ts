import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../lib/new-id.ts';

const prefix = 'cuervo-';

/** The caller disposes it when all of its processes have ended. */
export type ProcessCgroup = Disposable & {
  /** a process that writes its id into this file is in the group, with all that it starts */
  entry: string;
};

/**
 * A control group with a bound on the number of its processes, for root alone: the limit that a
 * shell sets does not hold for root, and root may make groups. Undefined where that is not so;
 * then the kernel counts.
 */
export function openProcessCgroup(
  processes: number,
  base: string | undefined = findBase(),
): ProcessCgroup | undefined {
  if (base === undefined) return undefined;
  const folder = join(base, `${prefix}${newId(Date.now())}`);
  try {
    sweep(base);
    mkdirSync(folder);
    writeFileSync(join(folder, 'pids.max'), String(processes));
    return {
      entry: join(folder, 'cgroup.procs'),
      [Symbol.dispose]: () => remove(folder),
    };
  } catch {
    // The file system of groups is read-only here, as in most containers.
    remove(folder);
    return undefined;
  }
}

/** Version 2 where it counts processes below its root, else the hierarchy of version 1. */
function findBase(root = '/sys/fs/cgroup'): string | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  try {
    const controllers = readFileSync(join(root, 'cgroup.subtree_control'), 'utf8');
    return controllers.split(/\s/).includes('pids') ? root : undefined;
  } catch {
    const folder = join(root, 'pids');
    return existsSync(join(folder, 'cgroup.procs')) ? folder : undefined;
  }
}

/** A group that was just made is empty until its program enters, and is not swept. */
const sweptAfterMs = 60_000;

/** Removes groups that an earlier kernel left because their processes had not ended yet. */
function sweep(base: string): void {
  for (const name of readdirSync(base)) {
    const folder = join(base, name);
    if (name.startsWith(prefix) && ageMs(folder) > sweptAfterMs) remove(folder);
  }
}

function ageMs(folder: string): number {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

/** A group in use is not removed by the system. */
function remove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is in use, or never existed.
  }
}
