/** Up to where the state of a root is kept before a program that may write runs. */
export type SnapshotLimits = {
  /** of all files that git does not ignore */
  bytes: number;
  /** of all files that git ignores; 0 does not look at them */
  ignoredBytes: number;
  /** files, folders and links */
  entries: number;
};

export const defaultSnapshotLimits: SnapshotLimits = {
  bytes: 64 * 1024 * 1024,
  ignoredBytes: 0,
  entries: 100_000,
};
