/** Limits of one program; a person can set each. */
export type ExecLimits = {
  /** wall time, and what a command that asks for 0 gets */
  timeoutMs: number;
  /** between the signal to end, when time is over, and the one that cannot be refused */
  graceMs: number;
  cpuSeconds: number;
  /** data of each process, and resident memory of all of them together */
  memoryBytes: number;
  /** of each file that is written */
  fileBytes: number;
  /** processes and threads at once */
  processes: number;
  /** of both outputs together that reach the guest */
  outputBytes: number;
};

export const defaultExecLimits: ExecLimits = {
  timeoutMs: 120_000,
  graceMs: 5000,
  cpuSeconds: 60,
  memoryBytes: 2 * 1024 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  processes: 512,
  outputBytes: 1024 * 1024,
};

/** Limits of a guest's command; no allocation of ours follows a number of the guest. */
export const commandLimits = {
  programCharacters: 128,
  args: 4096,
  /** UTF-8 bytes of all arguments; one argument alone may have 128 KiB on Linux */
  argBytes: 100_000,
  stdinBytes: 4 * 1024 * 1024,
} as const;

/** Open files of each process. */
export const maxOpenFiles = 1024;

/** Bytes of each writable folder in memory: `/tmp`, `/dev/shm` and the home. */
export const maxScratchBytes = 256 * 1024 * 1024;

/** An output above it is kept whole beside what the guest gets, for a person and for later calls. */
export const keptFromBytes = 48 * 1024;

/** Output beyond the cap is read and dropped, so that a program can finish; but not for ever. */
export const maxDroppedBytes = 64 * 1024 * 1024;
