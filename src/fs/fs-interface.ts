import { createContentGate, type ProtectedCheck } from '../contracts/content-gate.ts';
import type { NotRead } from '../contracts/not-read.ts';
import type { HostCall } from '../contracts/tool.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { showPath } from '../paths/parse-path.ts';
import { systemFailure } from '../paths/system-failure.ts';
import type {
  AskIndex,
  Entry,
  FsInterface,
  ScanOptions,
  ScanResult,
  TextFile,
  Unsearched,
} from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';
import { createEntry, listDirectory } from './list-directory.ts';
import { cutText } from './match-lines.ts';
import { createReach, joinShown } from './reach-path.ts';
import { readBytes, readText } from './read-content.ts';
import type { ScanShare } from './scan-tree.ts';
import { type AskHelp, scanWithHelp } from './share-scan.ts';
import { tallyTree } from './tally-tree.ts';
import { walkTree } from './visit-tree.ts';
import { many, nowMs, overAll, targetOf } from './work-within.ts';

export type { FsInterface } from './fs-types.ts';

/** Characters of a path that the journal keeps. */
const maxTargetCharacters = 512;

/**
 * `cuervo:host/fs` for one plugin process. It reaches nothing but what lies below the given
 * descriptors, and there no protected file. Every function throws `HostFailure` only.
 *
 * @param options.roots root name -> descriptor of its directory; the caller owns them
 * @param options.report called once for each call, also for those that fail
 * @param options.isProtected the default list when absent
 */
export function createFsInterface(options: {
  roots: ReadonlyMap<string, number>;
  /** see `SearchPlace`; false when absent */
  enters?: boolean;
  report(call: HostCall): void;
  /** a line for the person: what a list leaves out, which the guest is not told */
  warn?(text: string): void;
  isProtected?: ProtectedCheck;
  /** whether the running call has used up its time for walks; absent: no limit */
  isOver?(): boolean;
  /** for scans of large trees; without it they are made alone */
  askHelp?: (path: string, scan: ScanOptions, share: ScanShare) => ReturnType<AskHelp>;
  /** asked before each walk, scan and tally; without it all files are looked at */
  index?: AskIndex;
}): FsInterface {
  const { roots, report, warn = () => {} } = options;
  const { isProtected = createContentGate({}).isProtected } = options;
  const reach = createReach(roots, isProtected, options.enters);
  const placeOf = (path: string): SearchPlace => ({
    ...reach.place(path),
    ...(options.isOver === undefined ? {} : { isOver: options.isOver }),
  });
  /** `unsearched` is of the walk, scan or tally before; `notRead` of the call under way */
  const left: Left = {};
  const take = <T extends Left>({ unsearched, notRead, ...rest }: T): Omit<T, keyof Left> => {
    Object.assign(left, { unsearched, notRead });
    return rest;
  };

  /** Runs one host call and reports its outcome, also when it fails. */
  function answer<T>(call: string, path: string, run: () => T, bytesOf?: (value: T) => number): T {
    const startedMs = nowMs();
    left.notRead = undefined;
    const note = (outcome: HostCall['outcome'], bytes: number | undefined) => {
      const target = cutText(path.toWellFormed(), maxTargetCharacters);
      const durationMs = nowMs() - startedMs;
      const entry: HostCall = { call: `fs.${call}`, target, outcome, durationMs };
      const of = left.notRead === undefined ? entry : { ...entry, notRead: left.notRead };
      report(bytes === undefined ? of : { ...of, bytes });
    };
    let value: T;
    try {
      value = run();
    } catch (thrown) {
      const failure = systemFailure(thrown, showPath(path));
      note(failure.payload.tag, undefined);
      throw failure;
    }
    note('ok', bytesOf?.(value));
    return value;
  }

  /** Runs a listing and tells the person how many names it left out. */
  function listing<T>(run: (onUnnamed: (count: number) => void) => T): T {
    let unnamed = 0;
    const listed = run((count) => {
      unnamed += count;
    });
    if (unnamed > 0) warn(leftOut(unnamed));
    return listed;
  }

  return {
    roots: () => answer('roots', '', () => [...roots.keys()]),
    stat: (path) =>
      answer('stat', path, () => {
        const { stats, guestPath } = reach.stats(path);
        return createEntry(joinShown(guestPath, ''), stats);
      }),
    readText: (path, maxBytes) => {
      const read = () => {
        using file = reach.file(path);
        return readText(file.fd, file.stats.size, maxBytes, file.guestPath.shown);
      };
      return answer('read-text', path, read, ({ text }) => Buffer.byteLength(text));
    },
    readMany: (paths, maxBytes) => {
      let left = fsLimits.readTextBytes;
      const read = (path: string): TextFile => {
        using file = reach.file(path);
        const most = Math.min(maxBytes, left);
        const found = readText(file.fd, file.stats.size, most, file.guestPath.shown);
        // The limit for all texts together cut this one, not the limit for one text.
        if (found.truncated && most < maxBytes) throw overAll(file.guestPath.shown);
        left -= Buffer.byteLength(found.text);
        return found;
      };
      return answer(
        'read-many',
        targetOf(paths),
        () => many(paths, read),
        (found) =>
          found.reduce(
            (sum, one) => sum + (one.tag === 'ok' ? Buffer.byteLength(one.val.text) : 0),
            0,
          ),
      );
    },
    statMany: (paths) => {
      const stat = (path: string): Entry => {
        const { stats, guestPath } = reach.stats(path);
        return createEntry(joinShown(guestPath, ''), stats);
      };
      return answer('stat-many', targetOf(paths), () => many(paths, stat));
    },
    readBytes: (path, offset, length) => {
      const read = () => {
        using file = reach.file(path);
        return readBytes(file.fd, file.stats.size, offset, length);
      };
      return answer('read-bytes', path, read, (bytes) => bytes.length);
    },
    listDir: (path) =>
      answer('list-dir', path, () => {
        using directory = reach.directory(path);
        const { guestPath } = directory;
        const pathOf = joinShown.bind(null, guestPath);
        return listing((onUnnamed) =>
          listDirectory(directory.fd, guestPath.shown, pathOf, onUnnamed),
        );
      }),
    walk: (path, walk) =>
      answer('walk', path, () =>
        listing((onUnnamed) => {
          const place = placeOf(path);
          const known = options.index?.walk(place, walk);
          return take(walkTree(place, walk, onUnnamed, known)).entries;
        }),
      ),
    scan: (path, scan) =>
      answer(
        'scan',
        path,
        () => {
          const ask = (share: ScanShare) => options.askHelp?.(path, scan, share);
          const place = placeOf(path);
          return take(scanWithHelp(place, scan, ask, options.index?.scan(place, scan)));
        },
        charactersOf,
      ),
    tally: (path, tally) =>
      answer('tally', path, () => {
        const place = placeOf(path);
        return take(tallyTree(place, tally, options.index?.tally(place, tally)));
      }),
    unsearched: () => left.unsearched,
  };
}

/**
 * Left out of results: the guest asks for `unsearched` by a call, and the kernel tells the person
 * of `notRead`.
 */
type Left = { unsearched?: Unsearched | undefined; notRead?: NotRead[] | undefined };

function leftOut(count: number): string {
  const what = count === 1 ? '1 name that is' : `${count} names that are`;
  return `left out: ${what} not UTF-8, or with a control character or a backslash`;
}

/** Lines that went into the guest; a character is about a byte. */
function charactersOf({ matches }: ScanResult): number {
  const lines = matches.flatMap(({ text, before, after }) => [text, ...before, ...after]);
  return lines.reduce((sum, line) => sum + line.length, 0);
}
