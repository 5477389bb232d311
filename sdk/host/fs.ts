import * as host from 'cuervo:host/fs@0.1.0';
import { hostCall } from '../host-error.ts';

export type {
  Entry,
  Kind,
  ScanMatch,
  ScanResult,
  TallyResult,
  TallyWindow,
  TextFile,
} from 'cuervo:host/fs@0.1.0';

/** Bytes that `readText` takes at most when nothing is said. */
const defaultMaxBytes = 1024 * 1024;

/** Options of `walk`, `scan` and `tally` that may be left out. */
export type WalkOptions = Partial<host.WalkOptions>;
export type ScanOptions = Omit<Partial<host.ScanOptions>, 'walk'> & {
  pattern: string;
  walk?: WalkOptions;
};
export type TallyOptions = Omit<Partial<host.TallyOptions>, 'walk'> & {
  words: readonly string[];
  walk?: WalkOptions;
};

function walkOptions(options: WalkOptions = {}): host.WalkOptions {
  return {
    include: [],
    exclude: [],
    ignoreFiles: true,
    hidden: false,
    limit: 10_000,
    ...options,
  };
}

/** Names of the granted roots. */
export function roots(): string[] {
  return hostCall(() => host.roots());
}

export function stat(path: string): host.Entry {
  return hostCall(() => host.stat(path));
}

/** @param maxBytes longer files come `truncated` */
export function readText(path: string, maxBytes = defaultMaxBytes): host.TextFile {
  return hostCall(() => host.readText(path, maxBytes));
}

export function readBytes(path: string, offset: number, length: number): Uint8Array {
  return hostCall(() => host.readBytes(path, offset, length));
}

export function listDir(path: string): host.Entry[] {
  return hostCall(() => host.listDir(path));
}

/** Entries below `path`, gitignore-aware unless told otherwise. */
export function walk(path: string, options?: WalkOptions): host.Entry[] {
  return hostCall(() => host.walk(path, walkOptions(options)));
}

/** Lines that match; the host reads the files, so their bytes never cross into the guest. */
export function scan(path: string, options: ScanOptions): host.ScanResult {
  return hostCall(() =>
    host.scan(path, {
      literal: false,
      caseInsensitive: false,
      before: 0,
      after: 0,
      limit: 1000,
      ...options,
      walk: walkOptions({ limit: 100_000, ...options.walk }),
    }),
  );
}

/** Counts of words by window of lines: what a ranked search without an index needs. */
export function tally(path: string, options: TallyOptions): host.TallyResult {
  return hostCall(() =>
    host.tally(path, {
      window: 40,
      overlap: 10,
      limit: 1000,
      ...options,
      words: [...options.words],
      walk: walkOptions({ limit: 100_000, ...options.walk }),
    }),
  );
}
