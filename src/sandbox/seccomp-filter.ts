/** Names of the kernel for the sets of calls that are known here, and the number of `clone`. */
export const architectures: Readonly<Record<string, { audit: number; clone: number }>> = {
  x64: { audit: 0xc000_003e, clone: 56 },
  arm64: { audit: 0xc000_00b7, clone: 220 },
};

export const clone3 = 435;
/** First number of the x32 interface, a second set of the same calls. */
export const x32 = 0x4000_0000;

const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/**
 * Shared memory, semaphores and queues of System V, and queues of POSIX: much code of the kernel that
 * little uses, where a namespace is all that keeps one sandbox from the next.
 */
export const oldIpc: Readonly<Record<string, readonly number[]>> = {
  x64: [...numbers(29, 31), ...numbers(64, 71), 220, ...numbers(240, 245)],
  arm64: numbers(180, 197),
};

/** Classic packet filters, as far as they are used: include/uapi/linux/bpf_common.h. */
export const operations = {
  load: 0x20,
  jumpEqual: 0x15,
  jumpAtLeast: 0x35,
  jumpSet: 0x45,
  give: 0x06,
};

/** Offsets in `struct seccomp_data`; of an argument its lower half, on a little-endian machine. */
export const offsets = {
  ...{ call: 0, architecture: 4 },
  ...{ firstArgument: 16, secondArgument: 24, thirdArgument: 32, fourthArgument: 40 },
};

export const results = {
  allow: 0x7fff_0000,
  kill: 0x8000_0000,
  notPermitted: 0x5_0001,
  noSuchCall: 0x5_0026,
  noSuchFamily: 0x5_0061,
  notSupported: 0x5_005f,
  /** nothing is done, and the caller is told that it was */
  done: 0x5_0000,
};

/** A jump counts the instructions that are left out. */
export type Instruction = [operation: number, jumpTrue: number, jumpFalse: number, value: number];

/** In bubblewrap's form: a sequence of `struct sock_filter`. */
export function encodeFilter(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [operation, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(operation, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

/**
 * System calls that a plugin process never needs once it runs: more processes, sockets,
 * other processes, mounts and namespaces, and parts of the kernel that had many holes.
 * By the tables of Linux 6 (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h).
 */
const deniedCalls: Readonly<Record<string, readonly number[]>> = {
  x64: [
    ...[57, 58], // fork, vfork
    ...[41, 42, 49, 50], // socket, connect, bind, listen
    ...[101, 310, 311, 312], // ptrace, process_vm_readv, process_vm_writev, kcmp
    ...[155, 161, 165, 166, 167, 272, 308], // pivot_root, chroot, mount, umount2, swapon, unshare, setns
    ...[163, 169, 175, 176, 179, 246, 313, 320], // acct, reboot, modules, quotactl, kexec
    ...[103, 154, 168], // syslog, modify_ldt, swapoff
    ...[248, 249, 250, 298, 303, 304, 321, 323], // keys, perf, file handles, bpf, userfaultfd
  ],
  arm64: [
    ...[198, 203, 200, 201],
    ...[117, 270, 271, 272],
    ...[41, 51, 40, 39, 224, 97, 268],
    ...[89, 142, 105, 106, 60, 104, 273, 294],
    ...[217, 218, 219, 241, 264, 265, 280, 282],
    ...[116, 225], // modify_ldt is a call of x86
  ],
};

/** Numbers from 424 on are the same everywhere: pidfd_*, io_uring_*, the new calls that mount. */
const deniedEverywhere = [424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 442, 467];

const cloneThread = 0x1_0000;

/**
 * A filter for seccomp(2) in the form that bubblewrap reads. New threads are allowed, new
 * processes are not: `clone3`, whose flags a filter cannot see, is said not to exist, and the
 * C library then takes `clone`.
 *
 * @param architecture as `process.arch`
 * @returns undefined for one whose numbers are not known here
 */
export function seccompFilter(architecture: string): Buffer | undefined {
  const known = architectures[architecture];
  const denied = deniedCalls[architecture];
  if (known === undefined || denied === undefined) return undefined;
  const all = [...denied, ...(oldIpc[architecture] ?? []), ...deniedEverywhere];
  const program: Instruction[] = [
    [operations.load, 0, 0, offsets.architecture],
    [operations.jumpEqual, 1, 0, known.audit],
    [operations.give, 0, 0, results.kill],
    [operations.load, 0, 0, offsets.call],
    [operations.jumpEqual, 0, 1, clone3],
    [operations.give, 0, 0, results.noSuchCall],
    // A jump counts the instructions that are left out.
    [operations.jumpAtLeast, all.length + 3, 0, x32],
    ...all.map(
      (call, index): Instruction => [operations.jumpEqual, all.length - index + 2, 0, call],
    ),
    [operations.jumpEqual, 0, 3, known.clone],
    [operations.load, 0, 0, offsets.firstArgument],
    [operations.jumpSet, 1, 0, cloneThread],
    [operations.give, 0, 0, results.notPermitted],
    [operations.give, 0, 0, results.allow],
  ];
  return encodeFilter(program);
}
