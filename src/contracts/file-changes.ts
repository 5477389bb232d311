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
  /** Runs of a project that changed something, newest first. */
  runs(project: string, limit: number): ChangedRun[];
  /** @param ts ms since the epoch */
  markUndone(run: string, ts: number): void;
};

/** A run that changed files. */
export type ChangedRun = {
  run: string;
  command: string;
  question: string;
  /** ms since the epoch */
  startedMs: number;
  /** rows, not files: a file that was written twice counts twice */
  changes: number;
  /** ms since the epoch; absent while it stands */
  undoneMs?: number;
};

/** What stands under a path; `other` is a link, a socket or what cannot be looked at. */
export type PathState =
  | { kind: 'absent' }
  | { kind: 'directory' }
  | { kind: 'file'; hash: string }
  | { kind: 'other'; why: string };

/** The files below the roots, for taking changes back. Every method throws `KernelError`. */
export type RootFiles = Disposable & {
  stateOf(path: RootPath): PathState;
  /** The bytes of a file; undefined when none stands there. */
  read(path: RootPath): Uint8Array | undefined;
  /** A file with its bytes and permission bits, in one step. */
  put(path: RootPath, bytes: Uint8Array, mode: number): void;
  makeDirectory(path: RootPath): void;
  /** A file, or a directory that is empty. */
  remove(path: RootPath): void;
};

/** @property path relative to the root, segments joined by `/` */
export type RootPath = { root: string; path: string };

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
