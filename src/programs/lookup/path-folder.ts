/** A folder in which programs are looked for beside those of the system. */
export type PathFolder = {
  /** absolute and real */
  folder: string;
  from: 'workspace' | 'user';
  /** where it lies below a granted root; absent outside of all */
  below?: { root: string; path: string };
  /** absolute files and folders that its programs load, shown to them read-only */
  reads: readonly string[];
};
