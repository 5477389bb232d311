import { fsLimits } from '../../below/fs-limits.ts';
import type { ProtectedCheck } from '../../below/protected-check.ts';
import type { ScanOptions, ScanResult } from './fs-types.ts';
import { createReach } from './reach-path.ts';
import { charactersOf, scanTree } from './scan-tree.ts';
import type { SearchPlace } from './search-place.ts';
import { createSide, type ScanShare, type ScanSide } from './split-scan.ts';
import { compareInWalk } from './walk-order.ts';

/**
 * Hands a share to a sibling and comes back at once.
 *
 * @returns undefined when no sibling is free, else a function that waits for what the sibling found
 *   and gives undefined when it was lost
 */
export type AskHelp = (share: ScanShare) => (() => ScanResult | undefined) | undefined;

/** Files after which a search is long enough to be worth a sibling's help: about 5 ms. */
const helpFromFile = 500;

/** The other side of a share: what a process does for its sibling. */
export function createShareScanner(options: {
  roots: ReadonlyMap<string, number>;
  enters?: boolean;
  isProtected: ProtectedCheck;
}): (path: string, scan: ScanOptions, share: ScanShare) => ScanResult | null {
  const reach = createReach(options.roots, options.isProtected, options.enters);
  return (path, scan, share) => {
    try {
      const place = reach.place(path);
      return scanTree(place, scan, createSide(place, share, 'helping'));
    } catch {
      // The sibling meets the same fault, and tells it.
      return null;
    }
  };
}

/**
 * `scanTree`, with help where a tree turns out to be large. Each of the two looks at as many
 * entries as the walk may have.
 *
 * @throws {HostFailure} as `scanTree`
 */
export function scanWithHelp(
  place: SearchPlace,
  options: ScanOptions,
  askHelp: AskHelp = () => undefined,
): ScanResult {
  const asking = createAsking(place, askHelp);
  let mine: ScanResult;
  try {
    mine = scanTree(place, options, asking);
  } catch (thrown) {
    // Its answer is on the way, and nothing else can be heard before it was taken.
    asking.help?.take();
    throw thrown;
  }
  if (asking.help === undefined) return mine;
  const { share, take } = asking.help;
  const theirs = take() ?? scanTree(place, options, createSide(place, share, 'helping'));
  return mergeResults([mine, theirs], options.limit);
}

type Asking = ScanSide & {
  help: { share: ScanShare; take(): ScanResult | undefined } | undefined;
};

/** Everything, until a sibling takes its share of what is left. */
function createAsking(place: SearchPlace, askHelp: AskHelp): Asking {
  let files = 0;
  let side: ScanSide | undefined;
  const asking: Asking = {
    help: undefined,
    looksInto: (folder) => side === undefined || side.looksInto(folder),
    takes: (folder, path) => {
      if (side !== undefined) return side.takes(folder, path);
      files += 1;
      if (files === helpFromFile) {
        const share = { after: path };
        const take = askHelp(share);
        if (take !== undefined) {
          asking.help = { share, take };
          side = createSide(place, share, 'asking');
        }
      }
      return true;
    },
  };
  return asking;
}

/** What one scan of all their files would have found; each is in the order of the walk. */
export function mergeResults(results: readonly ScanResult[], limit: number): ScanResult {
  const all = results
    .flatMap((result) => result.matches)
    .toSorted((one, other) => compareInWalk(one.path, other.path));
  const matches: ScanResult['matches'] = [];
  let charactersLeft: number = fsLimits.scanCharacters;
  for (const match of all) {
    charactersLeft -= charactersOf(match);
    if (matches.length === limit || charactersLeft < 0) break;
    matches.push(match);
  }
  return {
    matches,
    filesScanned: sum(results.map(({ filesScanned }) => filesScanned)),
    bytesScanned: sum(results.map(({ bytesScanned }) => bytesScanned)),
    truncated: matches.length < all.length || results.some(({ truncated }) => truncated),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
