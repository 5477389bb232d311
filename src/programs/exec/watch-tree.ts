import type { ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { namesIn } from '../../lib/files/folders.ts';
import { processTree } from '../../lib/process/watch-memory.ts';
import { memoryFolders } from './bwrap-arguments.ts';
import type { ExecLimits } from './launch-scripts.ts';

/** A tree deeper or wider than this is ended in part; a sandbox has no such bound. */
const maxProcesses = 10_000;

/**
 * Kills all processes that a process started, whatever their group. A process whose parent has
 * ended is no descendant and escapes: only a namespace holds a whole tree.
 */
export function killDescendants({ pid }: ChildProcess): void {
  signalDescendants(pid, 'SIGKILL');
}

/** The process itself gets none. */
export function signalDescendants(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  for (const descendant of processTree(pid, maxProcesses).slice(1)) {
    try {
      process.kill(descendant, signal);
    } catch {
      // It ended by itself.
    }
  }
}

/** Lines of `status` for memory of one process alone, in kB. VmPTE are its page tables. */
const ownMemory = /^(?:RssAnon|VmSwap|VmPTE|HugetlbPages):\s*(\d+) kB$/gm;
/** What the kernel keeps for an open file at most, where it is a pipe that nobody reads. */
const descriptorBytes = 8 * 1024;

/** @param process its folder in `/proc` */
function ownBytes(process: string): number {
  const own = [...read(`${process}/status`).matchAll(ownMemory)];
  const kilobytes = own.reduce((sum, [, amount]) => sum + Number(amount), 0);
  return kilobytes * 1024 + namesIn(`${process}/fd`).length * descriptorBytes;
}

/**
 * Bytes that wait in the sockets of a namespace, open in a process or on the way to another. Nobody
 * outside can see how full a socket of files is, so each counts as full.
 *
 * @param net the folder `net` of a process in it
 */
function socketBytes(net: string): number {
  const full = Number(read('/proc/sys/net/core/wmem_default'));
  const files = lines(`${net}/unix`).length * full;
  // tx_queue:rx_queue
  const queues = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((name) =>
    lines(`${net}/${name}`).map((line) => /([0-9A-F]{8}):([0-9A-F]{8}) \d\d:/.exec(line)),
  );
  const waiting = queues.reduce(
    (sum, found) =>
      sum + Number.parseInt(found?.[1] ?? '0', 16) + Number.parseInt(found?.[2] ?? '0', 16),
    0,
  );
  // Rmem and Wmem
  const links = lines(`${net}/netlink`).map((line) => line.trim().split(/\s+/));
  const asked = links.reduce(
    (sum, words) => sum + Number(words[4] ?? 0) + Number(words[5] ?? 0),
    0,
  );
  return files + waiting + asked;
}

/** An empty file takes some, too: its inode and its name. */
const inodeBytes = 1024;

/** @param folders in memory; those that are not there hold nothing */
function folderBytes(folders: readonly string[]): number {
  return folders.reduce((sum, folder) => {
    try {
      const { bsize, blocks, bfree, files, ffree } = statfsSync(folder);
      return sum + (blocks - bfree) * bsize + (files - ffree) * inodeBytes;
    } catch {
      return sum;
    }
  }, 0);
}

/** For the whole system: pages of folders in memory, files without a name and shared mappings. */
function sharedOfSystem(): number {
  return Number(/^Shmem:\s*(\d+) kB$/m.exec(read('/proc/meminfo'))?.[1] ?? 0) * 1024;
}

/**
 * Memory that several processes may have and that belongs to none: each piece counts once.
 *
 * @param processes their folders in `/proc`
 * @param atMost what it can be in all, as it may be hidden: a file in memory that is mapped and
 *   closed, or sent and not received, tells nobody its size
 */
function sharedBytes(processes: readonly string[], atMost: number): number {
  const bytes = new Map<number, number>();
  const mapped = new Map<number, number>();
  for (const process of processes) {
    for (const name of namesIn(`${process}/fd`)) {
      const path = `${process}/fd/${name}`;
      const target = link(path);
      if (target.startsWith('/memfd:')) {
        const { ino, blocks } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, blocks: 0 };
        bytes.set(ino, blocks * 512);
      } else if (target.startsWith('socket:')) {
        const sent = /^scm_fds:\s*(\d+)$/m.exec(read(`${process}/fdinfo/${name}`))?.[1];
        if (Number(sent ?? 0) > 0) return atMost;
      }
    }
    for (const [, from, to, offset, ino, what] of read(`${process}/maps`).matchAll(sharedMapping)) {
      const end = hex(offset) + hex(to) - hex(from);
      if (what === '/dev/zero') bytes.set(Number(ino), Math.max(bytes.get(Number(ino)) ?? 0, end));
      else mapped.set(Number(ino), end);
    }
  }
  for (const ino of mapped.keys()) if (!bytes.has(ino)) return atMost;
  return [...bytes.values()].reduce((sum, each) => sum + each, 0);
}

/** A mapping of what is a file for the kernel alone: `/dev/zero` is one that processes share. */
const sharedMapping =
  /^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ (\d+) +(\/dev\/zero|\/memfd:).* \(deleted\)$/gm;

function hex(text: string | undefined): number {
  return Number.parseInt(text ?? '0', 16);
}

/** Without the line of titles. */
function lines(path: string): string[] {
  return read(path).trimEnd().split('\n').slice(1);
}

/** Empty for a process that is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** How often the processes of a program are counted. */
const periodMs = 50;
/** The part of the time that goes into it at most, where there are many. */
const share = 1 / 4;

/**
 * Watches the processes of a sandbox from outside, by its own /proc. The limits that the shell
 * sets hold for single processes, and that on their number does not hold for root: a namespace of
 * root's still counts as root.
 *
 * @param init process id of the first process in the sandbox, as the host counts
 * @param onExcess told once, with a sentence of what was too much
 * @returns ends the watch
 */
export function watchTree(
  init: number,
  limits: ExecLimits,
  onExcess: (reason: string) => void,
): () => void {
  const sharedAtStart = sharedOfSystem();
  const look = (): void => {
    const startedMs = performance.now();
    const reason = findExcess(init, limits, sharedAtStart);
    if (reason !== undefined) onExcess(reason);
    else timer = setTimeout(look, Math.max(periodMs, (performance.now() - startedMs) / share));
  };
  let timer = setTimeout(look, periodMs);
  return () => clearTimeout(timer);
}

function findExcess(init: number, limits: ExecLimits, sharedAtStart: number): string | undefined {
  const root = `/proc/${init}/root`;
  // Until the sandbox stands, its first process still sees what the host does.
  if (isOurs(`${root}/proc`)) return undefined;
  const processes = namesIn(`${root}/proc`).filter((name) => /^\d+$/.test(name));
  if (processes.length > limits.processes) return `more than ${limits.processes} processes`;
  const folders = processes.map((name) => `${root}/proc/${name}`);
  const inFolders = folderBytes(memoryFolders.map((each) => root + each));
  const sockets = socketBytes(`/proc/${init}/net`);
  const own = folders.reduce((sum, each) => sum + ownBytes(each), inFolders + sockets);
  // To look for what is shared is dear, and most programs have none.
  const grown = sharedOfSystem() - sharedAtStart - inFolders;
  const isMuch =
    own + grown > limits.memoryBytes && own + sharedBytes(folders, grown) > limits.memoryBytes;
  if (!isMuch && own <= limits.memoryBytes) return undefined;
  return `more than ${limits.memoryBytes} bytes of memory`;
}

/** Each process namespace has its own /proc, with its own device number. */
function isOurs(folder: string): boolean {
  try {
    return statSync(folder).dev === statSync('/proc').dev;
  } catch {
    return false;
  }
}
