import { fstatSync, statfsSync } from 'node:fs';
import { createNotReadSum, unreadable } from '../contracts/not-read.ts';
import { decodeText } from '../lib/text/decode-text.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { atName } from '../paths/open-name.ts';
import { showPath } from '../paths/parse-path.ts';
import { HostFailure } from '../paths/system-failure.ts';
import { compilePattern, type LinePattern, patternFailure } from './compile-pattern.ts';
import {
  type IndexedScan,
  namesOnWay,
  type ScanMatch,
  type ScanOptions,
  type ScanResult,
} from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';
import { createPrefilter, type LineMatch, matchLines } from './match-lines.ts';
import { createContentReader } from './read-content.ts';
import { compareInWalk, type ListedFolder, visitTree } from './visit-tree.ts';
import { checkNumber, workWithin } from './work-within.ts';

/** Which files of a tree one process looks into. Asked in the order of the walk. */
export type ScanSide = {
  /** false: nothing below the folder is on this side, and it need not be listed */
  looksInto(folder: ListedFolder): boolean;
  /** @param path of a file in the folder, relative to the root */
  takes(folder: ListedFolder, path: string): boolean;
};

/**
 * A share of a scan for a sibling process, which has the same roots and nothing else: about half of
 * the files that the walk reaches after a path.
 */
export type ScanShare = {
  after: string;
  /**
   * where the search starts, relative to the root, links resolved: they may lead elsewhere by now
   */
  start: string;
  /** time that the call has left for walks, in ms; no end when absent */
  leftMs?: number | undefined;
};

/** The asking side also takes all files up to the path. */
export type SideOfShare = 'asking' | 'helping';

/** A folder with a larger list of names (some 2,000) is split by files, to share its work. */
const splitFolderBytes = 64 * 1024;

export type SideOfScan = ScanSide & {
  /** paths of the folders that it split by their files, in the order of the walk */
  readonly split: readonly string[];
};

/**
 * One side of a share. A file's path alone decides its side, so that both sides agree even when
 * another program makes or removes files meanwhile. A folder's files have one side, because the
 * other side then need not list a folder without folders in it. The sides disagree only about a
 * folder that crosses `splitFolderBytes` between the walks.
 */
export function createSide(place: SearchPlace, share: ScanShare, side: SideOfShare): SideOfScan {
  const isLeaf = createLeafCheck(place.rootFd);
  const split = new Set<string>();
  let isPast = side === 'asking';

  const isBehind = (path: string): boolean => compareInWalk(path, share.after) > 0;
  const isMine = (path: string): boolean => isHelpers(path) === (side === 'helping');
  const isSplit = ({ bytes }: ListedFolder): boolean => bytes > splitFolderBytes;

  return {
    looksInto: (folder) => {
      if (!isPast && !isBehind(folder.path)) {
        return folder.path === '' || share.after.startsWith(`${folder.path}/`);
      }
      return isSplit(folder) || isMine(folder.path) || !isLeaf(folder);
    },
    takes: (folder, path) => {
      isPast ||= isBehind(path);
      if (!isPast) return false;
      if (!isSplit(folder)) return isMine(folder.path);
      split.add(folder.path);
      return isMine(path);
    },
    get split() {
      return [...split].sort(compareInWalk);
    },
  };
}

/** FNV-1a, of whose bits the lowest alone would say little. */
function isHelpers(path: string): boolean {
  let hash = 0x811c9dc5;
  for (let index = 0; index < path.length; index += 1) {
    hash = Math.imul(hash ^ path.charCodeAt(index), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) & 1) === 1;
}

/**
 * Types by statfs(2) of file systems where a folder's link count is 2 plus its subfolders: ext2 to
 * ext4, XFS, tmpfs. Others report 1, or count otherwise.
 */
const countingSystems: readonly number[] = [0xef53, 0x58465342, 0x01021994];

/** @returns whether a folder's link count shows that it has no subfolders */
function createLeafCheck(rootFd: number): (folder: ListedFolder) => boolean {
  const { type } = atName(rootFd, '', (path) => statfsSync(path));
  const counting = countingSystems.includes(type) ? fstatSync(rootFd).dev : undefined;
  return ({ links, device }) => links === 2 && device === counting;
}

/** In one file, for a pattern that can only be matched by trying. */
const maxTryingMs = 2000;

const bothSides: ScanSide = { looksInto: () => true, takes: () => true };

/**
 * The lines that match in the text files below a place: what `grep` prints. Files that hold
 * a NUL are binary and skipped, as are those over 50 MiB; bytes that are not UTF-8 count as
 * U+FFFD.
 *
 * @param side which of them are looked into; all are when absent
 * @param indexed the only files that can match; all are looked into when absent
 * @throws {HostFailure} `invalid` or `limit` for the options
 */
export function scanTree(
  place: SearchPlace,
  options: ScanOptions,
  side: ScanSide = bothSides,
  indexed?: IndexedScan,
): ScanResult {
  const limit = checkNumber('limit', options.limit, 1, fsLimits.matches);
  const context = {
    before: checkNumber('before', options.before, 0, fsLimits.contextLines),
    after: checkNumber('after', options.after, 0, fsLimits.contextLines),
  };
  const pattern = compilePattern(options);
  using reader = createContentReader(place);
  const result: ScanResult = {
    matches: [],
    filesScanned: 0,
    bytesScanned: 0,
    truncated: false,
  };
  const prefilter = createPrefilter(pattern.needles);
  const passed = indexed && createPassed(indexed);
  const missed = createNotReadSum();
  let skipped: ScanResult['unsearched'];
  let charactersLeft: number = fsLimits.scanCharacters;

  function keep(path: string, match: LineMatch): boolean {
    const named = { path: place.shownPath(path), ...match };
    charactersLeft -= charactersOf(named);
    result.truncated = result.matches.length === limit || charactersLeft < 0;
    if (result.truncated) result.unsearched = { reason: 'matches', path: named.path };
    else result.matches.push(named);
    return !result.truncated;
  }

  function scanFile(path: string, text: string): void {
    let isText = false;
    try {
      const search = () =>
        matchLines(text, pattern, context, (match) => {
          // Looked at only where something was found: most files hold no match.
          isText ||= !text.includes('\0');
          return isText && keep(path, match);
        });
      if (!pattern.isTried) search();
      else if (!workWithin(maxTryingMs, search))
        throw endless(options.pattern, place.shownPath(path));
    } catch (thrown) {
      if (thrown instanceof SyntaxError) throw patternFailure(options.pattern, thrown);
      if (!(thrown instanceof RangeError)) throw thrown;
      requireStack(pattern);
      // Only this file is skipped.
      skipped ??= { reason: 'file', path: place.shownPath(path) };
    }
  }

  const cut = visitTree({
    ...place,
    maxEntries: Number.MAX_SAFE_INTEGER,
    options: options.walk,
    looksInto: side.looksInto,
    namesIn: indexed && namesOnWay(indexed),
    onUnread: (path) => missed.add(unreadable, place.shownPath(path)),
    visit: (folder, name, path, kind) => {
      if (kind !== 'file') return true;
      if (!side.takes(folder, path) || place.isWithheld(path)) return true;
      passed?.upTo(path);
      const length = reader.read(folder, name);
      if (length < 0) {
        if (reader.missed !== undefined) missed.add(reader.missed, place.shownPath(path));
        return true;
      }
      result.filesScanned += 1;
      result.bytesScanned += length;
      if (prefilter(reader.buffer, length)) scanFile(path, decodeText(reader.buffer, length));
      return !result.truncated;
    },
  });
  if (passed !== undefined) {
    if (!result.truncated) passed.all();
    result.filesScanned += passed.files;
    result.bytesScanned += passed.bytes;
  }
  result.notRead = missed.list();
  const end = cut === undefined ? skipped : { ...cut, path: place.shownPath(cut.path) };
  if (end === undefined) return result;
  return { ...result, truncated: true, unsearched: result.unsearched ?? end };
}

/** The files that a scan by an index has passed, as if it had looked into each. */
function createPassed({ paths, files, bytes }: IndexedScan) {
  let next = 0;
  const passed = {
    files: 0,
    bytes: 0,
    upTo: (path: string): void => {
      while (next < paths.length && paths[next] !== path) next += 1;
      [passed.files, passed.bytes] = [files[next] ?? 0, bytes[next] ?? 0];
    },
    all: (): void => {
      [passed.files, passed.bytes] = [files.at(-1) ?? 0, bytes.at(-1) ?? 0];
    },
  };
  return passed;
}

/** How many characters a match counts towards the limit of a scan. */
export function charactersOf(match: ScanMatch): number {
  const lines = [match.path, match.text, ...match.before, ...match.after];
  return lines.reduce((sum, line) => sum + line.length, 0);
}

function endless(pattern: string, path: string): HostFailure {
  const text = `pattern ${showPath(pattern)} found no end in ${showPath(path)} within ${maxTryingMs} ms: it repeats, and with look-around ((?=, (?!, (?<=, (?<!), a backreference, a modifier or a count above 16 it is matched by trying. Write it without these, then it is matched in linear time, and look at what it finds`;
  return new HostFailure('invalid', text);
}

/** @throws {HostFailure} `limit` for a pattern that needs too much stack in every file */
function requireStack({ finder }: LinePattern): void {
  try {
    finder.lastIndex = 0;
    finder.exec('');
  } catch {
    throw new HostFailure('limit', 'the pattern needs more stack than there is');
  }
}
