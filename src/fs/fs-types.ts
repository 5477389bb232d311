import type { NotRead } from '../contracts/not-read.ts';
import type { HostErrorCase } from '../contracts/tool.ts';
import type { SearchPlace } from './glob-filter.ts';

/** `cuervo:host/fs@0.1.0` in the JavaScript shapes of the generated glue. */
export type Kind = 'file' | 'directory' | 'link' | 'other';

export type Entry = {
  /** `root:relative/path` */
  path: string;
  kind: Kind;
  /** bytes */
  size: number;
  /** milliseconds since the Unix epoch */
  modifiedMs: number;
};

export type TextFile = {
  text: string;
  /** SHA-256 of the whole file, hex */
  hash: string;
  truncated: boolean;
};

/** A nested `result` as the glue takes it. */
export type Many<Value> =
  | { tag: 'ok'; val: Value }
  | { tag: 'err'; val: { tag: HostErrorCase; val: string } };

export type WalkOptions = {
  include: string[];
  exclude: string[];
  ignoreFiles: boolean;
  hidden: boolean;
  maxDepth?: number | undefined;
  limit: number;
};

/** Why a part of a tree was left out, as `unsearched` of `wit/host/host.wit`. */
export type Unsearched = {
  reason: 'matches' | 'entries' | 'time' | 'depth' | 'names' | 'file';
  /** `root:relative/path` */
  path: string;
};

export type ScanOptions = {
  walk: WalkOptions;
  pattern: string;
  literal: boolean;
  caseInsensitive: boolean;
  before: number;
  after: number;
  limit: number;
};

export type ScanMatch = {
  path: string;
  /** 1-based */
  line: number;
  /** 1-based, in UTF-16 units */
  column: number;
  text: string;
  before: string[];
  after: string[];
};

export type ScanResult = {
  matches: ScanMatch[];
  filesScanned: number;
  bytesScanned: number;
  truncated: boolean;
  /** not the guest's: it asks for it by a call */
  unsearched?: Unsearched | undefined;
  /** not the guest's: the kernel tells it */
  notRead?: NotRead[] | undefined;
};

export type TallyOptions = {
  walk: WalkOptions;
  words: string[];
  window: number;
  overlap: number;
  limit: number;
};

export type TallyWindow = {
  path: string;
  /** 1-based line of the window's first line */
  line: number;
  length: number;
  /** one count for each of the asked words */
  counts: Uint32Array;
};

export type TallyResult = {
  windows: TallyWindow[];
  total: number;
  /** one number for each of the asked words */
  holding: Uint32Array;
  meanLength: number;
  truncated: boolean;
  /** not the guest's: it asks for it by a call */
  unsearched?: Unsearched | undefined;
  /** not the guest's: the kernel tells it */
  notRead?: NotRead[] | undefined;
};

/** Every function throws `HostFailure` and nothing else. */
export type FsInterface = {
  roots(): string[];
  stat(path: string): Entry;
  readText(path: string, maxBytes: number): TextFile;
  readMany(paths: string[], maxBytes: number): Many<TextFile>[];
  statMany(paths: string[]): Many<Entry>[];
  readBytes(path: string, offset: number, length: number): Uint8Array;
  listDir(path: string): Entry[];
  walk(path: string, options: WalkOptions): Entry[];
  scan(path: string, options: ScanOptions): ScanResult;
  tally(path: string, options: TallyOptions): TallyResult;
  unsearched(): Unsearched | undefined;
};

/** Metadata that shows a change: a write, a rename, or another mode. */
export type Sight = { size: number; mtimeMs: number; ctimeMs: number; ino: number };

/** Anything but a folder. */
export type ListedEntry = Sight & {
  /** relative to the root */
  path: string;
  /** false for links, sockets and the like, and for withheld files, which a walk only names */
  isFile: boolean;
  /** see `visitTree()` */
  hiddenAt: number;
};

export type ListedTree = {
  /** in the order of a walk */
  entries: ListedEntry[];
  /** path -> metadata of the folder, and of the ignore files in it */
  folders: Map<string, Sight & { rules: string }>;
  /** a limit left out what comes after */
  isCut: boolean;
  /** false when it was cut, or left out a name that no path can express */
  isWhole: boolean;
};

/** Files in which a walk, scan or tally can find something; paths relative to the root. */
export type Candidates = {
  /** in the order of a walk, all below the place that was asked for */
  paths: readonly string[];
};

/**
 * Counts for the text files that cannot match: for each of `paths` the sums over such files before
 * it in the walk, and as the last entry the sums over all.
 */
export type IndexedScan = Candidates & { files: readonly number[]; bytes: readonly number[] };

/** The files with the best windows, and counts over all windows of all files. */
export type IndexedTally = Candidates & {
  total: number;
  totalLength: number;
  /** one number for each of the asked words */
  holding: readonly number[];
  /** windows that hold any of the words */
  windows: number;
};

/** Where a search begins, as an index knows it. */
export type AskedPlace = Pick<SearchPlace, 'root' | 'start'>;

/**
 * Asks an index about the current files. Undefined where it cannot tell; then the call looks at the
 * files one by one.
 */
export type AskIndex = {
  walk(place: AskedPlace, options: WalkOptions): Candidates | undefined;
  scan(place: AskedPlace, options: ScanOptions): IndexedScan | undefined;
  tally(place: AskedPlace, options: TallyOptions): IndexedTally | undefined;
};

/** For `visitTree()`: the names on the ways to some paths. */
export function namesOnWay({ paths }: Candidates): (folder: string) => readonly string[] {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    for (let end = path.length; end > 0; ) {
      const slash = path.lastIndexOf('/', end - 1);
      const folder = path.slice(0, Math.max(0, slash));
      const name = path.slice(slash + 1, end);
      const inside = names.get(folder);
      // Paths come in order, so a name that is there is the last one, and so are those above.
      if (inside?.at(-1) === name) break;
      if (inside === undefined) names.set(folder, [name]);
      else inside.push(name);
      end = slash;
    }
  }
  return (folder) => names.get(folder) ?? [];
}
