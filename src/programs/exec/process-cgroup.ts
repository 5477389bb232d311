import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { newId } from '../../lib/ids-clock.ts';
import type { ExecLimits } from './launch-scripts.ts';

const prefix = 'cuervo-';

/** The caller disposes it when all of its processes have ended. */
export type ProcessCgroup = Disposable & {
  /** a process that writes its id into this file is in the group, with all that it starts */
  entry: string;
  /** what the kernel ended the group for, in the words of `watchTree` */
  findExcess(): string | undefined;
};

/** Where groups can be made, and whether one there bounds memory. */
export type CgroupBase = { folder: string; holdsMemory: boolean };

/**
 * A control group with a bound on the number and the memory of its processes, where the session of
 * the person has a place for one. Undefined where it has none. `watchTree` looks in any case: the
 * kernel slows sockets at the limit, and ends nobody for them.
 */
export function openProcessCgroup(
  limits: Pick<ExecLimits, 'processes' | 'memoryBytes'>,
  base: CgroupBase | undefined = findCgroupBase(),
): ProcessCgroup | undefined {
  if (base === undefined) return undefined;
  const folder = join(base.folder, `${prefix}${newId(Date.now())}`);
  const set = (name: string, value: number): void =>
    writeFileSync(join(folder, name), String(value));
  try {
    sweep(base.folder);
    mkdirSync(folder);
    set('pids.max', limits.processes);
    if (base.holdsMemory) {
      set('memory.max', limits.memoryBytes);
      set('memory.swap.max', 0);
      set('memory.oom.group', 1);
    }
    return {
      entry: join(folder, 'cgroup.procs'),
      findExcess: () =>
        base.holdsMemory && /^oom_kill [1-9]/m.test(read(join(folder, 'memory.events')))
          ? `more than ${limits.memoryBytes} bytes of memory`
          : undefined,
      [Symbol.dispose]: () => remove(folder),
    };
  } catch {
    // The file system of groups is read-only here, as in most containers.
    remove(folder);
    return undefined;
  }
}

/**
 * Version 2: the nearest group around our own that we may write and that counts memory and
 * processes in its groups, as a systemd session of the person has; beside our own, because a
 * group with processes bounds none below it. For root, who the limit of a shell does not hold,
 * one that counts processes alone will do, of version 1 too.
 */
export function findCgroupBase(
  root = '/sys/fs/cgroup',
  membership = read('/proc/self/cgroup'),
  isRoot = process.geteuid?.() === 0,
): CgroupBase | undefined {
  if (!existsSync(join(root, 'cgroup.controllers'))) {
    const folder = join(root, 'pids');
    const isThere = isRoot && existsSync(join(folder, 'cgroup.procs'));
    return isThere ? { folder, holdsMemory: false } : undefined;
  }
  const around = groupsAround(/^0::(\/.*)$/m.exec(membership)?.[1] ?? '/');
  const counting = around.map((path) => {
    const folder = join(root, path);
    const counted = read(join(folder, 'cgroup.subtree_control')).trim().split(' ');
    return { folder, counted, isOurs: canWrite(join(folder, 'cgroup.procs')) };
  });
  const find = (...kinds: string[]): string | undefined =>
    counting.find(({ counted, isOurs }) => isOurs && kinds.every((one) => counted.includes(one)))
      ?.folder;
  const whole = find('memory', 'pids');
  if (whole !== undefined) return { folder: whole, holdsMemory: true };
  const folder = isRoot ? find('pids') : undefined;
  return folder === undefined ? undefined : { folder, holdsMemory: false };
}

/** `/a/b` and `/a` and `/` around `/a/b/c`; the root is around itself. */
function groupsAround(own: string): string[] {
  const parent = dirname(own);
  return parent === '/' ? [parent] : [parent, ...groupsAround(parent)];
}

function canWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
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
