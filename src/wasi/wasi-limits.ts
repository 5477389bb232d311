/**
 * Limits of what one call's guests may make this side hold. A guest's number is cut to these or
 * refused, so that it never decides an allocation.
 */
export const wasiLimits = {
  /** descriptors, streams, pollables, errors and messages that are alive at once */
  resources: 4096,
  /** files that are open at once, each a descriptor of the operating system */
  openFiles: 128,
  /** bytes of one read; a guest that asks for more gets less, as WASI allows */
  readBytes: 256 * 1024,
  /** what a stream permits for the next write */
  writeBytes: 64 * 1024,
  /** bytes of one file that is written: what the kernel takes for one */
  fileBytes: 4 * 1024 * 1024,
  /** bytes of all files that are written and not yet handed to the kernel */
  pendingBytes: 16 * 1024 * 1024,
  directoryEntries: 10_000,
  /** below a directory that is renamed: each of them is a host call */
  renamedEntries: 500,
  /** bytes of one random request; WASI has no way to give less than was asked for */
  randomBytes: 1024 * 1024,
  pollables: 4096,
  /** stat, readlink and the like in one call: they share entries of the journal */
  lookups: 200_000,
  /** as many as the kernel sends */
  httpHeaders: 64,
  /** of all names and values of one message */
  httpHeaderBytes: 64 * 1024,
  httpBodyBytes: 4 * 1024 * 1024,
} as const;
