import type { ProtectedCheck } from '../contracts/content-gate.ts';
import { createNotReadSum } from '../contracts/not-read.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import type { IndexedScan, ScanOptions, ScanResult } from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';
import { createReach } from './reach-path.ts';
import {
  charactersOf,
  createSide,
  type ScanShare,
  type ScanSide,
  type SideOfScan,
  scanTree,
} from './scan-tree.ts';
import { compareInWalk } from './visit-tree.ts';
import { nowMs } from './work-within.ts';

/** The findings of one side, and the folders that it split by files, in the order of the walk. */
export type ScanPart = ScanResult & Pick<SideOfScan, 'split'>;

/**
 * Hands a share to a sibling and comes back at once.
 *
 * @returns undefined when no sibling is free, else a function that waits for what the sibling found
 *   and gives undefined when it was lost
 */
export type AskHelp = (share: ScanShare) => (() => ScanPart | undefined) | undefined;

/** Files after which a search is long enough to be worth a sibling's help: about 5 ms. */
const helpFromFile = 500;

/** The other side of a share: what a process does for its sibling. */
export function createShareScanner(options: {
  roots: ReadonlyMap<string, number>;
  enters?: boolean;
  isProtected: ProtectedCheck;
}): (path: string, scan: ScanOptions, share: ScanShare) => ScanPart | null {
  const reach = createReach(options.roots, options.isProtected, options.enters);
  return (path, scan, share) => {
    try {
      const endsMs = share.leftMs === undefined ? undefined : nowMs() + share.leftMs;
      const place = {
        ...reach.place(path),
        ...(endsMs === undefined ? {} : { isOver: () => nowMs() > endsMs }),
      };
      return place.start.join('/') === share.start ? scanShare(place, scan, share) : null;
    } catch {
      // The asking process meets the same fault and reports it.
      return null;
    }
  };
}

export function scanShare(place: SearchPlace, options: ScanOptions, share: ScanShare): ScanPart {
  const side = createSide(place, share, 'helping');
  return { ...scanTree(place, options, side), split: side.split };
}

/**
 * `scanTree`, with help where a tree turns out to be large. Each of the two looks at as many
 * entries as the walk may have.
 *
 * @param indexed see `scanTree`; with it nobody's help is needed
 * @throws {HostFailure} as `scanTree`
 */
export function scanWithHelp(
  place: SearchPlace,
  options: ScanOptions,
  askHelp: AskHelp = () => undefined,
  indexed?: IndexedScan,
): ScanResult {
  if (indexed !== undefined) return scanTree(place, options, undefined, indexed);
  const asking = createAsking(place, askHelp);
  let mine: ScanResult;
  try {
    mine = scanTree(place, options, asking);
  } catch (thrown) {
    // Take the sibling's answer first: it is on its way, and blocks every other reply.
    asking.help?.take();
    throw thrown;
  }
  if (asking.help === undefined) return mine;
  const { share, take, side } = asking.help;
  const parts = [
    { ...mine, split: side.split },
    take() ?? scanShare(place, options, share),
  ] as const;
  const limit = Math.min(options.limit, fsLimits.matches);
  // Without time left a second walk would find less.
  if (place.isOver?.() !== true && !splitAlike(place, parts, limit))
    return scanTree(place, options);
  return mergeResults(parts, limit);
}

/**
 * False if a folder grew or shrank between the two walks so that only one of them split it: both,
 * or neither, have looked into some of its files. Files after the last wanted match do not matter.
 */
function splitAlike(
  place: SearchPlace,
  parts: readonly [ScanPart, ScanPart],
  limit: number,
): boolean {
  const ends = parts.flatMap(({ matches }) => matches.slice(limit - 1)).map(({ path }) => path);
  const [mine, theirs] = parts.map(({ split }) =>
    split
      .map(place.shownPath)
      .filter((folder) => ends.every((end) => compareInWalk(folder, end) < 0))
      .join('\n'),
  );
  return mine === theirs;
}

type Asking = ScanSide & {
  help: { share: ScanShare; side: SideOfScan; take(): ScanPart | undefined } | undefined;
};

/** Everything, until a sibling takes its share of what is left. */
function createAsking(place: SearchPlace, askHelp: AskHelp): Asking {
  let files = 0;
  const asking: Asking = {
    help: undefined,
    looksInto: (folder) => asking.help?.side.looksInto(folder) ?? true,
    takes: (folder, path) => {
      if (asking.help !== undefined) return asking.help.side.takes(folder, path);
      files += 1;
      if (files === helpFromFile) {
        const share = { after: path, start: place.start.join('/') };
        const side = createSide(place, share, 'asking');
        const take = askHelp(share);
        if (take !== undefined) asking.help = { share, side, take };
      }
      return true;
    },
  };
  return asking;
}

/** The result of one scan of all their files, in the order of the walk. */
export function mergeResults(results: readonly ScanResult[], limit: number): ScanResult {
  const all = results
    .flatMap((result) => result.matches)
    .toSorted((one, other) => compareInWalk(one.path, other.path));
  const matches: ScanResult['matches'] = [];
  let dropped: ScanResult['matches'][number] | undefined;
  let charactersLeft: number = fsLimits.scanCharacters;
  for (const match of all) {
    charactersLeft -= charactersOf(match);
    if (matches.length === limit || charactersLeft < 0) {
      dropped = match;
      break;
    }
    matches.push(match);
  }
  const cuts = results.flatMap(({ unsearched }) => unsearched ?? []);
  const missed = createNotReadSum();
  for (const { notRead = [] } of results) missed.addAll(notRead);
  const over = dropped === undefined ? [] : [{ reason: 'matches' as const, path: dropped.path }];
  // Report the earliest place where a side stopped: the search is incomplete from there on.
  const [unsearched] = [...over, ...cuts].toSorted((one, other) =>
    compareInWalk(one.path, other.path),
  );
  return {
    ...(unsearched === undefined ? {} : { unsearched }),
    notRead: missed.list(),
    matches,
    filesScanned: sum(results.map(({ filesScanned }) => filesScanned)),
    bytesScanned: sum(results.map(({ bytesScanned }) => bytesScanned)),
    truncated: matches.length < all.length || results.some(({ truncated }) => truncated),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
