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
