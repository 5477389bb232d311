import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { chmodSync, entriesIn, lstatSync, showRaw } from '../../lib/files/raw-fs.ts';
import { yieldToEvents } from '../../lib/turns.ts';
import {
  architectures,
  clone3,
  encodeFilter,
  type Instruction,
  offsets,
  oldIpc,
  operations,
  results,
  x32,
} from '../../sandbox/seccomp-filter.ts';

/** S_ISUID and S_ISGID. */
const setIds = 0o6000;

/**
 * Takes set-user-ID and set-group-ID from the files that changed since a moment: who starts such a
 * file has the rights of who ran the program that left it. Where the kernel filters its calls a
 * program cannot set them, but it can still write through a mapping into a file that has them.
 *
 * Folders keep theirs: it says the group of what is made in them, and a new folder has it from
 * the one around it.
 *
 * @param sinceMs of the inode's time, which no program can set back
 * @returns the paths below the folder
 */
export async function clearPowers(folder: string, sinceMs: number): Promise<string[]> {
  const cleared: string[] = [];
  const turn = yieldToEvents();
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of entriesOf(join(folder, at))) {
      const waits = turn();
      if (waits !== undefined) await waits;
      const path = join(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() && clear(join(folder, path), sinceMs)) cleared.push(showRaw(path));
    }
  }
  return cleared;
}

function clear(path: string, sinceMs: number): boolean {
  try {
    const { mode, ctimeMs } = lstatSync(path);
    if ((mode & setIds) === 0 || ctimeMs < sinceMs) return false;
    chmodSync(path, mode & 0o1777);
    return true;
  } catch {
    // It is gone, or belongs to another user, who gave it these rights.
    return false;
  }
}

/** Empty for a folder that is gone or cannot be listed. */
function entriesOf(path: string): Dirent[] {
  try {
    return entriesIn(path);
  } catch {
    return [];
  }
}

/**
 * System calls that no program of a workspace needs, by the tables of Linux 6
 * (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h): looking into other
 * processes, mounts and namespaces, keys of the user, and parts of the kernel that had many holes.
 */
const deniedCalls: Readonly<Record<string, readonly number[]>> = {
  x64: [
    ...[101, 310, 311, 312], // ptrace, process_vm_readv, process_vm_writev, kcmp
    ...[155, 161, 165, 166, 272, 308], // pivot_root, chroot, mount, umount2, unshare, setns
    ...[103, 163, 167, 168, 169, 179], // syslog, acct, swapon, swapoff, reboot, quotactl
    ...[175, 176, 246, 313, 320], // modules, kexec
    ...[248, 249, 250], // add_key, request_key, keyctl
    ...[298, 304, 321, 323], // perf_event_open, open_by_handle_at, bpf, userfaultfd
    ...[154, 278], // modify_ldt, a call of x86, and vmsplice, which keeps whole pages in a pipe
  ],
  arm64: [
    ...[117, 270, 271, 272],
    ...[41, 51, 40, 39, 97, 268],
    ...[116, 89, 224, 225, 142, 60],
    ...[105, 106, 104, 273, 294],
    ...[217, 218, 219],
    ...[241, 265, 280, 282, 75],
  ],
};

/** Numbers from 424 on are the same everywhere: io_uring_*, mounts (open_tree_attr is 467), pidfd_getfd, quotactl_fd. */
const deniedEverywhere = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 467];

const calls: Readonly<Record<string, { socket: number; ioctl: number; setsockopt: number }>> = {
  x64: { socket: 41, ioctl: 16, setsockopt: 54 },
  arm64: { socket: 198, ioctl: 29, setsockopt: 208 },
};

const socketLevel = 1;
/** SO_SNDBUF and SO_RCVBUF, and the same by force. */
const bufferOptions = [7, 8, 32, 33];

const { secondArgument, thirdArgument, fourthArgument } = offsets;

/** A call that makes a file with a mode, or changes it, and the offsets of its arguments. */
type ModeCall = { call: number; mode: number; flags?: number };

/** `mkdir` and `mkdirat` are not among them: the kernel ignores these bits there. */
const modeCalls: Readonly<Record<string, readonly ModeCall[]>> = {
  x64: [
    { call: 257, mode: fourthArgument, flags: thirdArgument }, // openat
    { call: 2, mode: thirdArgument, flags: secondArgument }, // open
    { call: 85, mode: secondArgument }, // creat
    { call: 90, mode: secondArgument }, // chmod
    { call: 91, mode: secondArgument }, // fchmod
    { call: 268, mode: thirdArgument }, // fchmodat
    { call: 452, mode: thirdArgument }, // fchmodat2
    { call: 133, mode: secondArgument }, // mknod
    { call: 259, mode: thirdArgument }, // mknodat
  ],
  arm64: [
    { call: 56, mode: fourthArgument, flags: thirdArgument },
    { call: 52, mode: secondArgument },
    { call: 53, mode: thirdArgument },
    { call: 452, mode: thirdArgument },
    { call: 33, mode: thirdArgument },
  ],
};

/**
 * S_ISUID and S_ISGID: who starts such a file has the rights of who ran the program that left it.
 * Outside that is the person, or root. And S_IFCHR, of which S_IFBLK has the bit too: a device.
 */
const powers = 0o26000;

/** O_CREAT and __O_TMPFILE: without them whatever stands in the place of the mode is not looked at. */
const creating = 0o20000100;

/**
 * setxattr, lsetxattr, fsetxattr, setxattrat: capabilities of a file, and lists of who may open it
 * and what is made beside it. Programs go on as on a file system without them.
 */
const attributeCalls: Readonly<Record<string, readonly number[]>> = {
  x64: [188, 189, 190, 463],
  arm64: [5, 6, 7, 463],
};

/** Its mode lies in memory; programs then take `openat`. */
const openat2 = 437;

/**
 * Families of sockets that stay inside: those of files, the internet and netlink belong to a
 * namespace. Others do not, as those between a virtual machine and its host (AF_VSOCK).
 */
const families = [1, 2, 10, 16];

/** TIOCSTI and TIOCLINUX type on a terminal in the place of the person who sits there. */
const typing = [0x5412, 0x541c];

/** CLONE_NEW*: any further namespace, and so any further capability. */
const namespaces = 0x7e02_0000;

/**
 * A filter for programs, in the form that bubblewrap reads. It takes away what would let a
 * program out or at the kernel, and leaves what builds, tests and package managers use.
 *
 * @param architecture as `process.arch`
 * @returns undefined for one whose numbers are not known here
 */
export function programFilter(architecture: string): Buffer | undefined {
  const known = architectures[architecture];
  const denied = deniedCalls[architecture];
  const numbers = calls[architecture];
  const modes = modeCalls[architecture];
  if (!known || !denied || !numbers || !modes) return undefined;
  const { load, jumpEqual, jumpAtLeast, jumpSet, give } = operations;
  const when = (call: number, ...then: Instruction[]): Instruction[] => [
    [jumpEqual, 0, then.length, call],
    ...then,
  ];
  return encodeFilter([
    [load, 0, 0, offsets.architecture],
    [jumpEqual, 1, 0, known.audit],
    [give, 0, 0, results.kill],
    [load, 0, 0, offsets.call],
    [jumpAtLeast, 0, 1, x32],
    [give, 0, 0, results.notPermitted],
    ...modes.flatMap(({ call, mode, flags }) =>
      when(
        call,
        ...(flags === undefined
          ? []
          : ([
              [load, 0, 0, flags],
              [jumpSet, 1, 0, creating],
              [give, 0, 0, results.allow],
            ] satisfies Instruction[])),
        [load, 0, 0, mode],
        [jumpSet, 0, 1, powers],
        [give, 0, 0, results.notPermitted],
        [give, 0, 0, results.allow],
      ),
    ),
    ...(attributeCalls[architecture] ?? []).flatMap((call) =>
      when(call, [give, 0, 0, results.notSupported]),
    ),
    // Its flags lie in memory, where a filter cannot look; the C library then takes `clone`.
    ...when(clone3, [give, 0, 0, results.noSuchCall]),
    ...when(openat2, [give, 0, 0, results.noSuchCall]),
    ...[...denied, ...(oldIpc[architecture] ?? []), ...deniedEverywhere].flatMap((call) =>
      when(call, [give, 0, 0, results.notPermitted]),
    ),
    ...when(
      known.clone,
      [load, 0, 0, offsets.firstArgument],
      [jumpSet, 0, 1, namespaces],
      [give, 0, 0, results.notPermitted],
      [give, 0, 0, results.allow],
    ),
    ...when(
      numbers.socket,
      [load, 0, 0, offsets.firstArgument],
      ...families.map((family, at): Instruction => [jumpEqual, families.length - at, 0, family]),
      [give, 0, 0, results.noSuchFamily],
      [give, 0, 0, results.allow],
    ),
    ...when(
      numbers.ioctl,
      [load, 0, 0, offsets.secondArgument],
      ...typing.map((command, at): Instruction => [jumpEqual, typing.length - at, 0, command]),
      [give, 0, 0, results.allow],
      [give, 0, 0, results.notPermitted],
    ),
    // Buffers keep the size that they begin with. The kernel may always give less than is asked for.
    ...when(
      numbers.setsockopt,
      [load, 0, 0, secondArgument],
      [jumpEqual, 1, 0, socketLevel],
      [give, 0, 0, results.allow],
      [load, 0, 0, thirdArgument],
      ...bufferOptions.map(
        (option, at): Instruction => [jumpEqual, bufferOptions.length - at, 0, option],
      ),
      [give, 0, 0, results.allow],
      [give, 0, 0, results.done],
    ),
    [give, 0, 0, results.allow],
  ]);
}
