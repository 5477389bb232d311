import type { ChangedRun, ListedRun } from './output/parse-session.ts';
/** A change of a plugin to one file or directory of a root, with what undoes it. */
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
  /**
   * Permission bits before, or those that were given to something new. With `linkMode` set it is
   * a link, and its hashes are of the target's text.
   */
  mode: number;
  /** permission bits after, where a program wrote it; absent where they stayed the same */
  afterMode?: number;
  /** ms since the epoch */
  ts: number;
};

/** In `FileChange.mode`: a symbolic link, as in `st_mode`. */
export const linkMode = 0o120000;

/** An effect of a run that no undo takes back. */
export type LastingEffect = {
  run?: string;
  step?: string;
  /** one sentence for a person */
  text: string;
  /** It may have happened; nobody checked. Such an effect alone does not list a run. */
  isPossible?: true;
  /** ms since the epoch */
  ts: number;
};

/** The rows of changes. Every method throws `KernelError`. */
export type FileChanges = {
  /** @returns the number that `remove` takes */
  add(change: FileChange): number;
  /** All of them, or none. @returns the numbers that `remove` takes */
  addAll(changes: readonly FileChange[]): number[];
  /** @returns the number that `removeLasting` takes */
  addLasting(effect: LastingEffect): number;
  removeLasting(seq: number): void;
  remove(...seqs: readonly number[]): void;
  /** oldest first */
  ofRun(run: string): FileChange[];
  /** Those of a path of a workspace, oldest first. @param project absolute path */
  ofPath(project: string, root: string, path: string): FileChange[];
  /** The same with the numbers that `remove` takes. */
  rowsOf(run: string): KeptChange[];
  /** Runs of a project that changed something, newest first. */
  runs(project: string, limit: number): ChangedRun[];
  /** Runs of a project, whether they changed something or not, newest first. */
  allRuns(project: string, limit: number): ListedRun[];
  /** Hashes that each run's undo needs, of all projects, newest run first. */
  hashesByRun(): Iterable<readonly string[]>;
  /** Hashes of blobs that rows name, and whether a run goes on that may name more. */
  named(): { hashes: ReadonlySet<string>; isRunning: boolean };
  /** @param ts ms since the epoch; undefined when it stands again */
  markUndone(run: string, ts: number | undefined): void;
};

export type KeptChange = FileChange & { seq: number };

/**
 * The thing at a path; `other` is a socket or an unreadable one. The hash of a link is that of its
 * target's text. `mode` is permission bits, absent when unknown.
 */
export type PathState =
  | { kind: 'absent' }
  | { kind: 'directory' }
  | { kind: 'file'; hash: string; mode?: number }
  | { kind: 'link'; hash: string }
  | { kind: 'other'; why: string };

/** The files below the roots, for taking changes back. Every method throws `KernelError`. */
export type RootFiles = Disposable & {
  stateOf(path: RootPath): PathState;
  /** The bytes of a file, the target of a link; undefined when neither stands there. */
  read(path: RootPath): Uint8Array | undefined;
  /**
   * Changes many paths at once. Each file is the old one or the new one whatever happens in
   * between; where the disk is full nothing is changed at all.
   *
   * @returns directories that hold something else, which are left as they are
   */
  become(wanted: readonly WantedPath[]): Promise<RootPath[]>;
  /**
   * Removes what a process has written beside these paths and not put into its place.
   *
   * @param owner number of a process that is gone
   */
  removeParts(paths: readonly RootPath[], owner: number): void;
};

/**
 * The wanted content of a path. A directory is removed when it is empty; one that was made on the
 * way is recorded too. `bytes` is called at its turn and returns the content of `hash`: a file's
 * bytes, or the text of a link.
 */
export type WantedPath = RootPath &
  (
    | { kind: 'absent' }
    | { kind: 'directory'; mode: number }
    | { kind: 'file'; hash: string; bytes(): Uint8Array; mode: number }
    | { kind: 'link'; hash: string; bytes(): Uint8Array }
  );

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
   *
   * @param make may return the permission bits that something new was given: a number, which takes
   *   the place of that in the change
   */
  record(change: Omit<FileChange, 'ts'>, make: () => unknown): void;
};

/** The same for many changes at once. */
export type BatchKeeper = Pick<ChangeKeeper, 'keep'> & {
  /**
   * Writes down all of them and then makes them; those that `make` does not report as
   * made are taken out again, also when it throws.
   */
  recordAll(
    changes: readonly Omit<FileChange, 'ts'>[],
    make: (isMade: (index: number) => void) => Promise<void>,
  ): Promise<void>;
};

/** Keeps the state of a root before a program that may write runs, and what it did to it. */
export type StateKeeper = {
  /** Hashes of all that is kept now. */
  kept(): ReadonlySet<string>;
  /** As that of `ChangeKeeper`, but a power cut may lose it. */
  keep(bytes: Uint8Array): string;
  record(changes: readonly Omit<FileChange, 'ts'>[]): void;
  /** Writes down what cannot be taken back. @returns what takes the row out again */
  recordLasting(effect: Omit<LastingEffect, 'ts'>): () => void;
};
