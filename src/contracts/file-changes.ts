/** What a plugin did to one file or directory of a root, with what takes it back. */
export type FileChange = {
  /** absent where a call belongs to no run */
  run?: string;
  step?: string;
  root: string;
  /** relative to the root, segments joined by `/` */
  path: string;
  kind: 'write' | 'create' | 'remove' | 'rename';
  /** where a rename went, like `path` */
  target?: string;
  /** SHA-256 of the bytes before, kept as a blob; absent where there was no file */
  beforeHash?: string;
  /** SHA-256 of the bytes after; absent where there is no file, as for directories */
  afterHash?: string;
  /** permission bits before, or those that were given to something new */
  mode: number;
  /** ms since the epoch */
  ts: number;
};

/** The rows of changes. Every method throws `KernelError`. */
export type FileChanges = {
  /** @returns the number that `remove` takes */
  add(change: FileChange): number;
  remove(seq: number): void;
  /** oldest first */
  ofRun(run: string): FileChange[];
};

/** Keeps what an undo needs, before a file is changed. */
export type ChangeKeeper = {
  /**
   * Keeps bytes under their SHA-256, which it returns.
   *
   * @throws {KernelError} `resource-exhausted` when the disk is full, `unavailable`
   */
  keep(bytes: Uint8Array): string;
  /**
   * Writes down the change and then makes it; a change that throws is taken out again. After
   * a crash between the two the file is as before, which its hash tells.
   */
  record(change: Omit<FileChange, 'ts'>, make: () => void): void;
};
