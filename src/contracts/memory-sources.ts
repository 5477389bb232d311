/** Bytes of one source. A larger file is a data file, or takes minutes to read. */
export const maxSourceBytes = 16 * 1024 * 1024;

/** A source that was read into memory, and its state at that time. */
export type MemorySource = {
  /** absolute path of the workspace */
  project: string;
  /** relative to the workspace, or a name that a person gave */
  source: string;
  /** SHA-256 of the whole, hex */
  hash: string;
  bytes: number;
  /** when the file was last changed, ms since the epoch; undefined for what is not a file */
  changedMs?: number;
  /** when a person had it forgotten; it stays out until it is added again */
  forgottenMs?: number;
  /** it belongs to the index of its workspace */
  isIndexed?: boolean;
};

/** What memory knows of its sources. Synchronous. Owned by the store. */
export type MemorySources = {
  get(project: string, source: string): MemorySource | undefined;
  all(project: string): MemorySource[];
  /** One transaction; an entry of the same name is replaced. */
  put(sources: readonly MemorySource[]): void;
  remove(project: string, source: string): void;
  /** workspaces with something that was read */
  projects(): string[];
  /** workspaces that have an index */
  indexedProjects(): string[];
};
